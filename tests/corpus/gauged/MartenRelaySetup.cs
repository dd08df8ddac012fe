namespace CraftMarket.Core.Infrastructure.Relay;

public class MartenRelaySetup
{
    private readonly RelaySettings _s;
    private readonly ILogger<MartenRelaySetup> _log;

    public MartenRelaySetup(IOptions<RelaySettings> settings, ILogger<MartenRelaySetup> log)
    {
        _s = settings.Value;
        _log = log;
    }

    public async Task RunAsync(CancellationToken ct = default)
    {
        var retry = Policy
            .Handle<Exception>()
            .WaitAndRetryForeverAsync(n => TimeSpan.FromSeconds(Math.Pow(2, n)));

        await retry.ExecuteAsync(async () =>
        {
            using var http = new HttpClient();

            var config = new JObject
            {
                { "database.hostname", _s.Host },
                { "database.dbname", _s.Database },
                { "database.port", _s.Port },
                { "database.user", _s.User },
                { "database.password", _s.Password },
                { "database.server.name", _s.ServerName },
                { "topic.prefix", _s.TopicPrefix },
                { "slot.name", _s.SlotName },
                { "schema.include.list", _s.Schemas },
                { "table.include.list", _s.Tables },
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
                { "internal.key.converter", "org.apache.kafka.connect.json.JsonConverter" },
                { "internal.value.converter", "org.apache.kafka.connect.json.JsonConverter" },
                { "key.converter.schemas.enable", "false" },
                { "value.converter.schemas.enable", "false" },
                { "plugin.name", "pgoutput" }
            };

            var content = new StringContent(JsonConvert.SerializeObject(config), Encoding.UTF8, MediaTypeNames.Application.Json);
            var answer = await http.PutAsync($"{_s.ConnectorUrl}/config", content, ct);
            if (!answer.IsSuccessStatusCode)
            {
                _log.LogError("Connect answered {code}", answer.StatusCode);
                throw new InvalidOperationException("relay not set up");
            }
        });
    }
}
