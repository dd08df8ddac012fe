namespace Shopfront.Core.Infrastructure.Relay;

public interface IRelayConnectorSetup
{
    Task ConfigureAsync(CancellationToken cancellationToken = default);
}

public class RelayConnectorSetup : IRelayConnectorSetup
{
    private readonly RelaySettings _settings;
    private readonly ILogger<RelayConnectorSetup> _logger;

    public RelayConnectorSetup(IOptions<RelaySettings> settings, ILogger<RelayConnectorSetup> logger)
    {
        _settings = settings.Value ?? throw new ArgumentNullException(nameof(settings));
        _logger = logger ?? throw new ArgumentNullException(nameof(logger));
    }

    public async Task ConfigureAsync(CancellationToken cancellationToken = default)
    {
        var retryPolicy = Policy
            .Handle<Exception>()
            .WaitAndRetryForeverAsync(attempt => TimeSpan.FromSeconds(Math.Pow(2, attempt)));

        await retryPolicy.ExecuteAsync(async () =>
        {
            using var http = new HttpClient();

            var config = new JObject
            {
                { "database.hostname", _settings.DatabaseHostname },
                { "database.dbname", _settings.DatabaseName },
                { "database.port", _settings.DatabasePort },
                { "database.user", _settings.DatabaseUser },
                { "database.password", _settings.DatabasePassword },
                { "database.server.name", _settings.DatabaseServerName },
                { "topic.prefix", _settings.TopicPrefix },
                { "slot.name", _settings.SlotName },
                { "schema.include.list", _settings.SchemaIncludeList },
                { "table.include.list", _settings.TableIncludeList },
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

            var json = JsonConvert.SerializeObject(config);
            var content = new StringContent(json, Encoding.UTF8, MediaTypeNames.Application.Json);

            _logger.LogInformation("Setting up the relay with: {json}", json);
            var response = await http.PutAsync($"{_settings.ConnectorUrl}/config", content);

            if (!response.IsSuccessStatusCode)
            {
                _logger.LogError("The relay could not be set up, status {status}", response.StatusCode);
                throw new Exception("The relay could not be set up.");
            }
        });
    }
}
