namespace ShopDomain.Core.Infrastructure.Outbox;

public interface IOutboxConnectorSetup
{
    Task ApplyAsync(CancellationToken ct = default);
}

public class OutboxConnectorSetup : IOutboxConnectorSetup
{
    private readonly ConnectOptions _opt;
    private readonly ILogger<OutboxConnectorSetup> _log;

    public OutboxConnectorSetup(IOptions<ConnectOptions> opt, ILogger<OutboxConnectorSetup> log)
    {
        _opt = opt.Value ?? throw new ArgumentNullException(nameof(opt));
        _log = log ?? throw new ArgumentNullException(nameof(log));
    }

    public async Task ApplyAsync(CancellationToken ct = default)
    {
        var retry = Policy
            .Handle<Exception>()
            .WaitAndRetryForeverAsync(n => TimeSpan.FromSeconds(Math.Pow(2, n)));

        await retry.ExecuteAsync(
            async () =>
            {
                using var http = new HttpClient();

                var settings = new JObject
                {
                    { "database.hostname", _opt.Host },
                    { "database.dbname", _opt.Database },
                    { "database.port", _opt.Port },
                    { "database.user", _opt.User },
                    { "database.password", _opt.Password },
                    { "database.server.name", _opt.ServerName },
                    { "topic.prefix", _opt.TopicPrefix },
                    { "slot.name", _opt.Slot },
                    { "schema.include.list", _opt.Schemas },
                    { "table.include.list", _opt.Tables },
                    { "transforms.outbox.route.topic.replacement", _opt.TopicPattern },
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
                    JsonConvert.SerializeObject(settings),
                    Encoding.UTF8,
                    MediaTypeNames.Application.Json);

                var answer = await http.PutAsync($"{_opt.Url}/config", body, ct);

                if (!answer.IsSuccessStatusCode)
                {
                    _log.LogError("Connect refused the connector: {status}", answer.StatusCode);
                    throw new InvalidOperationException("Outbox connector was not accepted.");
                }
            });
    }
}
