using System.Net.Http.Json;
using Farm.Infrastructure.Settings;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Farm.Infrastructure.Startup;

public class CdcConnectorStarter(
    IHttpClientFactory clients,
    IOptions<CdcSettings> options,
    ILogger<CdcConnectorStarter> log) : IHostedService
{
    private readonly CdcSettings _s = options.Value;
    private readonly HttpClient _http = clients.CreateClient("connect");

    public async Task StartAsync(CancellationToken ct)
    {
        var body = new
        {
            name = _s.Connector.Name,
            config = new Dictionary<string, object>
            {
                ["connector.class"] = _s.Connector.ConnectorClass,
                ["database.hostname"] = _s.Connector.HostName,
                ["database.port"] = _s.Connector.Port,
                ["database.user"] = _s.Connector.User,
                ["database.password"] = _s.Connector.Password,
                ["database.dbname"] = _s.Connector.DbName,
                ["topic.prefix"] = _s.Connector.ServerName,
                ["schema.include.list"] = _s.Connector.Schemas,
                ["table.include.list"] = _s.Connector.Tables,
                ["plugin.name"] = _s.Connector.Plugin,
                ["slot.name"] = _s.Connector.Slot,
                ["kafka.bootstrap.servers"] = _s.Kafka.Servers,
                ["transforms"] = "outbox",
                ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
                ["transforms.outbox.table.field.event.key"] = "id",
                ["transforms.outbox.table.field.event.type"] = "topic",
                ["transforms.outbox.table.field.event.payload"] = "payload"
            }
        };

        var found = await _http.GetAsync($"/connectors/{_s.Connector.Name}", ct);
        if (found.IsSuccessStatusCode)
        {
            log.LogInformation("Connector '{Name}' có sẵn, bỏ qua", _s.Connector.Name);
            return;
        }

        var answer = await _http.PostAsJsonAsync("/connectors", body, ct);
        answer.EnsureSuccessStatusCode();
        log.LogInformation("Đã tạo connector '{Name}'", _s.Connector.Name);
    }

    public Task StopAsync(CancellationToken ct) => Task.CompletedTask;
}
