using System.Net.Mime;
using System.Text;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using Polly;

namespace Bazaar.Core.Infrastructure.Cdc;

public interface IOutboxConnectorInstaller
{
    Task InstallAsync(CancellationToken token = default);
}

/// <summary>
/// Sends the settings of the outbox connector to Kafka Connect. Messages are Marten documents;
/// consumers of one aggregate rely on the order of its messages.
/// </summary>
public class OutboxConnectorInstaller : IOutboxConnectorInstaller
{
    private readonly CdcSettings _settings;
    private readonly ILogger<OutboxConnectorInstaller> _log;

    public OutboxConnectorInstaller(IOptions<CdcSettings> settings, ILogger<OutboxConnectorInstaller> log)
    {
        _settings = settings.Value ?? throw new ArgumentNullException(nameof(settings));
        _log = log ?? throw new ArgumentNullException(nameof(log));
    }

    public async Task InstallAsync(CancellationToken token = default)
    {
        var untilItWorks = Policy
            .Handle<Exception>()
            .WaitAndRetryForeverAsync(n => TimeSpan.FromSeconds(Math.Min(60, Math.Pow(2, n))));

        await untilItWorks.ExecuteAsync(async () =>
        {
            using var http = new HttpClient();

            var config = new JObject
            {
                { "database.hostname", _settings.Host },
                { "database.dbname", _settings.Database },
                { "database.port", _settings.Port },
                { "database.user", _settings.User },
                { "database.password", _settings.Password },
                { "database.server.name", _settings.ServerName },
                { "topic.prefix", _settings.TopicPrefix },
                { "slot.name", _settings.Slot },
                { "schema.include.list", _settings.Schemas },
                { "table.include.list", _settings.Tables },
                { "transforms.outbox.route.topic.replacement", _settings.TopicReplacement },
                { "connector.class", "io.debezium.connector.postgresql.PostgresConnector" },
                { "tasks.max", "1" },
                { "tombstones.on.delete", "false" },
                { "transforms", "outbox" },
                { "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter" },
                { "transforms.outbox.table.field.event.id", "id" },
                { "transforms.outbox.table.field.event.key", "mt_dotnet_type" },
                { "transforms.outbox.table.field.event.payload", "data" },
                { "transforms.outbox.route.by.id", "Id" },
                { "transforms.outbox.route.by.field", "mt_dotnet_type" },
                { "transforms.outbox.table.fields.additional.placement", "mt_dotnet_type:header:eventType" },
                { "transforms.outbox.debezium.expand.json.payload", "true" },
                { "key.converter", "org.apache.kafka.connect.storage.StringConverter" },
                { "value.converter", "org.apache.kafka.connect.storage.StringConverter" },
                { "internal.key.converter", "org.apache.kafka.connect.json.JsonConverter" },
                { "internal.value.converter", "org.apache.kafka.connect.json.JsonConverter" },
                { "key.converter.schemas.enable", "false" },
                { "value.converter.schemas.enable", "false" },
                { "plugin.name", "pgoutput" }
            };

            var body = new StringContent(
                JsonConvert.SerializeObject(config), Encoding.UTF8, MediaTypeNames.Application.Json);

            var answer = await http.PutAsync($"{_settings.ConnectorUrl}/config", body, token);

            if (!answer.IsSuccessStatusCode)
            {
                _log.LogError("Kafka Connect answered {Status}", answer.StatusCode);
                throw new InvalidOperationException("The outbox connector could not be installed.");
            }
        });
    }
}
