using System.Net.Http.Json;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Shop.Infrastructure.Hosted;

/// <summary>Sends the connector to Kafka Connect when the host starts.</summary>
public class ConnectorBootstrap(
    IHttpClientFactory clients,
    IOptions<CdcOptions> options,
    ILogger<ConnectorBootstrap> logger) : IHostedService
{
    private readonly CdcOptions _cdc = options.Value;
    private readonly HttpClient _http = clients.CreateClient("connect");

    public async Task StartAsync(CancellationToken ct)
    {
        var body = new
        {
            name = _cdc.Source.Name,
            config = new Dictionary<string, object>
            {
                ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
                ["database.hostname"] = _cdc.Source.Host,
                ["database.port"] = _cdc.Source.Port,
                ["database.user"] = _cdc.Source.User,
                ["database.password"] = _cdc.Source.Password,
                ["database.dbname"] = _cdc.Source.Database,
                ["topic.prefix"] = _cdc.Source.ServerName,
                ["schema.include.list"] = _cdc.Source.Schemas,
                ["table.include.list"] = _cdc.Source.Tables,
                ["plugin.name"] = _cdc.Source.Plugin,
                ["slot.name"] = _cdc.Source.Slot,
                ["kafka.bootstrap.servers"] = _cdc.Kafka.Servers,
                ["transforms"] = "shop",
                ["transforms.shop.type"] = "io.debezium.transforms.outbox.EventRouter",
                ["transforms.shop.table.field.event.key"] = "id",
                ["transforms.shop.table.field.event.type"] = "topic",
                ["transforms.shop.table.field.event.payload"] = "payload"
            }
        };

        try
        {
            var there = await _http.GetAsync($"/connectors/{_cdc.Source.Name}", ct);
            if (there.IsSuccessStatusCode)
            {
                logger.LogInformation("Connector '{Name}' đã có", _cdc.Source.Name);
                return;
            }

            var answer = await _http.PostAsJsonAsync("/connectors", body, ct);
            answer.EnsureSuccessStatusCode();
            logger.LogInformation("Connector '{Name}' đã đăng ký", _cdc.Source.Name);
        }
        catch (Exception e)
        {
            logger.LogError(e, "Không đăng ký được '{Name}'", _cdc.Source.Name);
            throw;
        }
    }

    public Task StopAsync(CancellationToken ct) => Task.CompletedTask;
}
