namespace Marketplace.Core.Infrastructure.Cdc;

public class ConnectorSetup : IConnectorSetup
{
	private readonly CdcSettings _settings;
	private readonly ILogger<ConnectorSetup> _logger;
	private readonly HttpClient _httpClient;

	public ConnectorSetup(
		IOptions<CdcSettings> settings,
		ILogger<ConnectorSetup> logger,
		IHttpClientFactory httpClientFactory)
	{
		_settings = settings.Value;
		_logger = logger;
		_httpClient = httpClientFactory.CreateClient("ConnectClient");
	}

	public async Task ConfigureAsync(CancellationToken cancellationToken = default)
	{
		// Leave the other containers some time to come up
		await Task.Delay(TimeSpan.FromSeconds(3), cancellationToken);

		var configJson = JsonConvert.SerializeObject(BuildConnectorConfig());
		var content = new StringContent(configJson, Encoding.UTF8, MediaTypeNames.Application.Json);

		var response = await _httpClient.PutAsync($"{_settings.ConnectorUrl}/config", content, cancellationToken);
		if (!response.IsSuccessStatusCode)
		{
			var errorBody = await response.Content.ReadAsStringAsync(cancellationToken);
			_logger.LogError("Connector was not configured: {StatusCode}, {Body}", response.StatusCode, errorBody);
		}
	}

	private Dictionary<string, object> BuildConnectorConfig()
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
			["transforms.outbox.route.topic.replacement"] = _settings.TopicReplacement.ToLowerInvariant(),
			["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
			["tasks.max"] = "1",
			["tombstones.on.delete"] = "false",
			["transforms"] = "outbox",
			["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
			["transforms.outbox.table.field.event.id"] = "id",
			["transforms.outbox.table.field.event.key"] = "clr_type",
			["transforms.outbox.table.field.event.payload"] = "data",
			["transforms.outbox.route.by.id"] = "id",
			["transforms.outbox.route.by.field"] = "clr_type",
			["transforms.outbox.table.fields.additional.placement"] = "clr_type:header:eventType",
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
