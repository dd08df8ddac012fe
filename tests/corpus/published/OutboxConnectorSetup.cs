namespace Grocer.Core.Infrastructure.Outbox;

public interface IOutboxConnectorSetup
{
    Task ConfigureAsync(CancellationToken cancellationToken = default);
}

public class OutboxConnectorSetup : IOutboxConnectorSetup
{
    private readonly RelaySettings _settings;
    private readonly ILogger<OutboxConnectorSetup> _logger;

    public OutboxConnectorSetup(IOptions<RelaySettings> settings, ILogger<OutboxConnectorSetup> logger)
    {
        _settings = settings.Value ?? throw new ArgumentNullException(nameof(settings));
        _logger = logger ?? throw new ArgumentNullException(nameof(logger));
    }

    public async Task ConfigureAsync(CancellationToken cancellationToken = default)
    {
        var retry = Policy
            .Handle<Exception>()
            .WaitAndRetryForeverAsync(n => TimeSpan.FromSeconds(Math.Pow(2, n)));

        await retry.ExecuteAsync(async () =>
        {
            using var http = new HttpClient();

            // Marten's outbox: id, data (jsonb), mt_dotnet_type
            var config = new JObject
            {
                { "connector.class", "io.debezium.connector.postgresql.PostgresConnector" },
                { "tasks.max", "1" },
                { "plugin.name", "pgoutput" },
                { "database.hostname", _settings.Host },
                { "database.port", _settings.Port },
                { "database.dbname", _settings.Database },
                { "database.user", _settings.User },
                { "database.password", _settings.Password },
                { "database.server.name", _settings.ServerName },
                { "topic.prefix", _settings.TopicPrefix },
                { "slot.name", _settings.SlotName },
                { "schema.include.list", _settings.Schemas },
                { "table.include.list", _settings.Tables },
                { "tombstones.on.delete", "false" },
                { "transforms", "outbox" },
                { "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter" },
                { "transforms.outbox.route.topic.replacement", _settings.TopicReplacement },
                { "transforms.outbox.table.field.event.id", "id" },
                { "transforms.outbox.table.field.event.key", "mt_dotnet_type" },
                { "transforms.outbox.table.field.event.payload", "data" },
                { "transforms.outbox.route.by.id", "Id" },
                { "transforms.outbox.route.by.field", "mt_dotnet_type" },
                { "transforms.outbox.table.fields.additional.placement", "mt_dotnet_type:header:eventType" },
                { "transforms.outbox.debezium.expand.json.payload", "true" },
                { "key.converter", "org.apache.kafka.connect.storage.StringConverter" },
                { "value.converter", "org.apache.kafka.connect.storage.StringConverter" },
                { "key.converter.schemas.enable", "false" },
                { "value.converter.schemas.enable", "false" }
            };

            var body = new StringContent(JsonConvert.SerializeObject(config), Encoding.UTF8, MediaTypeNames.Application.Json);
            var answer = await http.PutAsync($"{_settings.ConnectorUrl}/config", body);

            if (!answer.IsSuccessStatusCode)
            {
                _logger.LogError("Connect answered {status}", answer.StatusCode);
                throw new Exception("The outbox connector could not be configured.");
            }
        });
    }
}
