using System.Net.Http.Json;
using Backend.Infrastructure.Common.Settings;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Backend.Infrastructure.Hosted;

public class OutboxConnectorInitializer(
    IHttpClientFactory httpClientFactory,
    IOptions<CdcSettings> cdcSettings,
    ILogger<OutboxConnectorInitializer> logger) : IHostedService
{
    private readonly CdcSettings _cdc = cdcSettings.Value;
    private readonly HttpClient _httpClient = httpClientFactory.CreateClient("connect");

    public async Task StartAsync(CancellationToken ct)
    {
        var payload = new
        {
            name = _cdc.Connector.Name,
            config = new Dictionary<string, object>
            {
                ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
                ["database.hostname"] = _cdc.Connector.DatabaseHostName,
                ["database.port"] = _cdc.Connector.DatabasePort,
                ["database.user"] = _cdc.Connector.DatabaseUser,
                ["database.password"] = _cdc.Connector.DatabasePassword,
                ["database.dbname"] = _cdc.Connector.DatabaseName,
                ["topic.prefix"] = _cdc.Connector.DatabaseServerName,
                ["schema.include.list"] = _cdc.Connector.SchemaIncludeList,
                ["table.include.list"] = _cdc.Connector.TableIncludeList,
                ["plugin.name"] = _cdc.Connector.PluginName,
                ["slot.name"] = _cdc.Connector.SlotName,
                ["kafka.bootstrap.servers"] = _cdc.Kafka.BootstrapServers,
                ["transforms"] = "outbox",
                ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
                ["transforms.outbox.table.field.event.key"] = "id",
                ["transforms.outbox.table.field.event.type"] = "topic",
                ["transforms.outbox.table.field.event.payload"] = "payload"
            }
        };

        try
        {
            var check = await _httpClient.GetAsync($"/connectors/{_cdc.Connector.Name}", ct);
            if (check.IsSuccessStatusCode)
            {
                logger.LogInformation("Connector '{Name}' đã có sẵn", _cdc.Connector.Name);
                return;
            }

            var response = await _httpClient.PostAsJsonAsync("/connectors", payload, ct);
            response.EnsureSuccessStatusCode();
            logger.LogInformation("Đã đăng ký connector '{Name}'", _cdc.Connector.Name);
        }
        catch (Exception ex)
        {
            logger.LogError(ex, "Không đăng ký được connector '{Name}'", _cdc.Connector.Name);
            throw;
        }
    }

    public Task StopAsync(CancellationToken ct)
    {
        return Task.CompletedTask;
    }
}
