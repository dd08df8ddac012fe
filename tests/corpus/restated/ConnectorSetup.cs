namespace Gallery.Infrastructure.Outbox;

public class ConnectorSetup(IOptions<ConnectSettings> options, ILogger<ConnectorSetup> logger)
{
    private readonly ConnectSettings _s = options.Value;

    public async Task ConfigureAsync(CancellationToken token = default)
    {
        using var http = new HttpClient();

        var config = new JObject
        {
            { "database.hostname", _s.DatabaseHostname },
            { "database.dbname", _s.DatabaseName },
            { "database.port", _s.DatabasePort },
            { "database.user", _s.DatabaseUser },
            { "database.password", _s.DatabasePassword },
            { "database.server.name", _s.DatabaseServerName },
            { "topic.prefix", _s.TopicPrefix },
            { "slot.name", _s.SlotName },
            { "schema.include.list", _s.SchemaIncludeList },
            { "table.include.list", _s.TableIncludeList },
            { "transforms.outbox.route.topic.replacement", _s.TopicReplacement },
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
            { "key.converter.schemas.enable", "false" },
            { "value.converter.schemas.enable", "false" },
            { "plugin.name", "pgoutput" }
        };

        var content = new StringContent(JsonConvert.SerializeObject(config), Encoding.UTF8, "application/json");
        var response = await http.PutAsync($"{_s.ConnectorUrl}/config", content, token);
        if (!response.IsSuccessStatusCode)
        {
            logger.LogError("connector not configured: {code}", response.StatusCode);
            throw new InvalidOperationException("outbox connector not configured");
        }
    }
}
