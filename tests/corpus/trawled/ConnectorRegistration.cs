using System.Net.Http.Json;
using Microsoft.Extensions.Options;

namespace Cms.Infrastructure.Relay;

public sealed class ConnectorRegistration(
    IHttpClientFactory factory,
    IOptions<RelayOptions> options,
    ILogger<ConnectorRegistration> logger) : IHostedService
{
    private readonly RelayOptions _relay = options.Value;

    public async Task StartAsync(CancellationToken ct)
    {
        var http = factory.CreateClient("connect");
        var payload = new Dictionary<string, object>
        {
            ["name"] = _relay.Connector.Name,
            ["config"] = new Dictionary<string, object>
            {
                ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
                ["database.hostname"] = _relay.Connector.Host,
                ["database.port"] = _relay.Connector.Port,
                ["database.user"] = _relay.Connector.User,
                ["database.password"] = _relay.Connector.Password,
                ["database.dbname"] = _relay.Connector.Database,
                ["topic.prefix"] = _relay.Connector.ServerName,
                ["schema.include.list"] = _relay.Connector.Schemas,
                ["table.include.list"] = _relay.Connector.Tables,
                ["plugin.name"] = _relay.Connector.Plugin,
                ["slot.name"] = _relay.Connector.Slot,
                ["kafka.bootstrap.servers"] = _relay.Kafka.BootstrapServers,
                ["transforms"] = "outbox",
                ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
                ["transforms.outbox.table.field.event.key"] = "id",
                ["transforms.outbox.table.field.event.type"] = "topic",
                ["transforms.outbox.table.field.event.payload"] = "payload"
            }
        };

        var check = await http.GetAsync($"/connectors/{_relay.Connector.Name}", ct);
        if (check.IsSuccessStatusCode)
        {
            logger.LogInformation("Connector '{Name}' da ton tai", _relay.Connector.Name);
            return;
        }

        var response = await http.PostAsJsonAsync("/connectors", payload, ct);
        response.EnsureSuccessStatusCode();
        logger.LogInformation("Da dang ky connector '{Name}'", _relay.Connector.Name);
    }

    public Task StopAsync(CancellationToken ct) => Task.CompletedTask;
}
