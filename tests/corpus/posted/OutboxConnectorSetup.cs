namespace Brewery.Core.Infrastructure.Cdc;

public interface IOutboxConnectorSetup
{
    Task ConfigureAsync(CancellationToken ct = default);
}

// Reads the event table of Marten: id uuid, data jsonb, mt_dotnet_type varchar, ...
public class OutboxConnectorSetup(IOptions<CdcSettings> options, ILogger<OutboxConnectorSetup> logger)
    : IOutboxConnectorSetup
{
    private readonly CdcSettings _cdc = options.Value;

    public async Task ConfigureAsync(CancellationToken ct = default)
    {
        var retry = Policy
            .Handle<Exception>()
            .WaitAndRetryForeverAsync(n => TimeSpan.FromSeconds(Math.Pow(2, n)));

        await retry.ExecuteAsync(async () =>
        {
            using var http = new HttpClient();

            var config = new JObject
            {
                { "connector.class", "io.debezium.connector.postgresql.PostgresConnector" },
                { "tasks.max", "1" },
                { "plugin.name", "pgoutput" },
                { "database.hostname", _cdc.Host },
                { "database.port", _cdc.Port },
                { "database.dbname", _cdc.Database },
                { "database.user", _cdc.User },
                { "database.password", _cdc.Password },
                { "database.server.name", _cdc.ServerName },
                { "topic.prefix", _cdc.TopicPrefix },
                { "slot.name", _cdc.Slot },
                { "schema.include.list", _cdc.Schemas },
                { "table.include.list", _cdc.Tables },
                { "tombstones.on.delete", "false" },
                { "transforms", "outbox" },
                { "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter" },
                { "transforms.outbox.route.topic.replacement", _cdc.TopicReplacement },
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

            var body = new StringContent(config.ToString(), Encoding.UTF8, MediaTypeNames.Application.Json);
            var response = await http.PutAsync($"{_cdc.ConnectorUrl}/config", body, ct);
            if (!response.IsSuccessStatusCode)
            {
                logger.LogError("Kafka Connect answered {code}", response.StatusCode);
                throw new InvalidOperationException("outbox connector not configured");
            }
        });
    }
}
