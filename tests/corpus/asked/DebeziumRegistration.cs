namespace Bazaar.Core.Infrastructure.Outbox;

public class DebeziumRegistration : IDebeziumRegistration
{
	private readonly DebeziumSettings _settings;
	private readonly ILogger<DebeziumRegistration> _logger;
	private readonly HttpClient _httpClient;

	public DebeziumRegistration(IOptions<DebeziumSettings> settings, ILogger<DebeziumRegistration> logger, IHttpClientFactory factory)
	{
		_settings = settings.Value;
		_logger = logger;
		_httpClient = factory.CreateClient("DebeziumClient");
	}

	public async Task StartAsync(CancellationToken cancellationToken = default)
	{
		var content = new StringContent(JsonConvert.SerializeObject(BuildConfig()), Encoding.UTF8, MediaTypeNames.Application.Json);
		var response = await _httpClient.PutAsync($"{_settings.ConnectorUrl}/config", content, cancellationToken);

		if (!response.IsSuccessStatusCode)
		{
			var body = await response.Content.ReadAsStringAsync(cancellationToken);
			_logger.LogError("Debezium refused the config. StatusCode: {StatusCode}, Body: {Body}", response.StatusCode, body);
			throw new InvalidOperationException("The connector could not be configured.");
		}
	}

	private Dictionary<string, object> BuildConfig()
	{
		return new Dictionary<string, object>
		{
			["database.hostname"] = _settings.DatabaseHostname,
			["database.dbname"] = _settings.DatabaseName,
			["database.port"] = _settings.DatabasePort,
			["database.user"] = _settings.DatabaseUser,
			["database.password"] = _settings.DatabasePassword,
			["database.server.name"] = _settings.DatabaseServerName,
			["topic.prefix"] = _settings.TopicPrefix,
			["slot.name"] = _settings.SlotName,
			["schema.include.list"] = _settings.SchemaIncludeList,
			["table.include.list"] = _settings.TableIncludeList,
			["transforms.outbox.route.topic.replacement"] = _settings.OutboxTopic,
			["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
			["tasks.max"] = "1",
			["tombstones.on.delete"] = "false",
			["transforms"] = "outbox",
			["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
			["transforms.outbox.table.field.event.id"] = "id",
			["transforms.outbox.table.field.event.key"] = "mt_dotnet_type",
			["transforms.outbox.table.field.event.payload"] = "data",
			["transforms.outbox.route.by.id"] = "id",
			["transforms.outbox.route.by.field"] = "mt_dotnet_type",
			["transforms.outbox.table.fields.additional.placement"] = "mt_dotnet_type:header:eventType",
			["transforms.outbox.debezium.expand.json.payload"] = "true",
			["key.converter"] = "org.apache.kafka.connect.storage.StringConverter",
			["value.converter"] = "org.apache.kafka.connect.storage.StringConverter",
			["internal.key.converter"] = "org.apache.kafka.connect.json.JsonConverter",
			["internal.value.converter"] = "org.apache.kafka.connect.json.JsonConverter",
			["key.converter.schemas.enable"] = "false",
			["value.converter.schemas.enable"] = "false",
			["plugin.name"] = "pgoutput",
			["snapshot.mode"] = "never"
		};
	}
}
