namespace Bazaar.Core.Relay;

public interface IConnectorSetup
{
    Task ConfigureAsync(CancellationToken cancellationToken = default);
}

/// <summary>The event table of the document store serves as the outbox.</summary>
public class MartenConnectorSetup : IConnectorSetup
{
    private readonly RelaySettings _settings;
    private readonly ILogger<MartenConnectorSetup> _logger;

    public MartenConnectorSetup(IOptions<RelaySettings> settings, ILogger<MartenConnectorSetup> logger)
    {
        _settings = settings.Value;
        _logger = logger;
    }

    public async Task ConfigureAsync(CancellationToken cancellationToken = default)
    {
        var retry = Policy.Handle<Exception>()
            .WaitAndRetryForeverAsync(n => TimeSpan.FromSeconds(Math.Min(60, Math.Pow(2, n))));

        await retry.ExecuteAsync(async () =>
        {
            using var http = new HttpClient();

            var body = new JObject
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
                { "transforms.outbox.route.topic.replacement", _settings.Topic },
                { "transforms.outbox.route.by.field", "mt_dotnet_type" },
                { "transforms.outbox.table.field.event.id", "id" },
                { "transforms.outbox.table.field.event.key", "stream_id" },
                { "transforms.outbox.table.field.event.payload", "data" },
                { "transforms.outbox.table.fields.additional.placement", "mt_dotnet_type:header:eventType" },
                { "key.converter", "org.apache.kafka.connect.storage.StringConverter" },
                { "value.converter", "org.apache.kafka.connect.storage.StringConverter" },
                { "key.converter.schemas.enable", "false" },
                { "value.converter.schemas.enable", "false" }
            };

            var response = await http.PutAsync(
                $"{_settings.ConnectorUrl}/config",
                new StringContent(body.ToString(), Encoding.UTF8, MediaTypeNames.Application.Json),
                cancellationToken);

            if (!response.IsSuccessStatusCode)
            {
                _logger.LogError("Connect answered {Status}", response.StatusCode);
                throw new InvalidOperationException("The relay is not configured.");
            }
        });
    }
}
