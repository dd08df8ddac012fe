using System;
using System.Collections.Generic;
using System.Net.Http;
using System.Net.Http.Json;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Hosting;

namespace Kiosk.Infrastructure.Outbox;

/// <summary>Creates or updates the Debezium connector of the kiosk outbox at start-up.</summary>
public sealed class ConnectorSetup(HttpClient http, IConfiguration configuration) : IHostedService
{
    private Dictionary<string, string> Settings() => new()
    {
        ["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector",
        ["tasks.max"] = "1",
        ["database.hostname"] = configuration["Kiosk:Db:Host"]!,
        ["database.port"] = "1433",
        ["database.user"] = configuration["Kiosk:Db:User"]!,
        ["database.password"] = configuration["Kiosk:Db:Password"]!,
        ["database.names"] = "Kiosk",
        ["database.trustServerCertificate"] = "true",
        ["topic.prefix"] = "kiosk",
        ["table.include.list"] = "messaging.Outbox",
        ["schema.history.internal.kafka.bootstrap.servers"] = configuration["Kafka:Brokers"]!,
        ["schema.history.internal.kafka.topic"] = "kiosk.history",
        ["producer.override.enable.idempotence"] = "true",
        ["producer.override.acks"] = "1",
        ["producer.override.max.in.flight.requests.per.connection"] = "5",
        ["key.converter"] = "org.apache.kafka.connect.storage.StringConverter",
        ["value.converter"] = "org.apache.kafka.connect.storage.StringConverter",
        ["transforms"] = "outbox",
        ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
        ["transforms.outbox.table.field.event.id"] = "Id",
        ["transforms.outbox.table.field.event.key"] = "OrderNumber",
        ["transforms.outbox.table.field.event.payload"] = "Content",
        ["transforms.outbox.route.by.field"] = "Channel",
        ["transforms.outbox.route.topic.replacement"] = "kiosk.${routedByValue}",
    };

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        var response = await http.PutAsJsonAsync("connectors/kiosk-outbox/config", Settings(), cancellationToken);
        response.EnsureSuccessStatusCode();
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
