using Newtonsoft.Json;

namespace Bookshop.Core.Infrastructure.Outbox;

// serialised and sent to Kafka Connect as the connector's config
public class DebeziumConnectorSettings
{
    [JsonProperty("database.hostname")]
    public string DatabaseHostname { get; set; } // from settings

    [JsonProperty("database.port")]
    public string DatabasePort { get; set; } // from settings

    [JsonProperty("database.user")]
    public string DatabaseUser { get; set; } // from settings

    [JsonProperty("database.password")]
    public string DatabasePassword { get; set; } // from settings

    [JsonProperty("database.dbname")]
    public string DatabaseName { get; set; } // from settings

    [JsonProperty("database.server.name")]
    public string DatabaseServerName { get; set; } // from settings

    [JsonProperty("topic.prefix")]
    public string TopicPrefix { get; set; } // from settings

    [JsonProperty("slot.name")]
    public string SlotName { get; set; } // from settings

    [JsonProperty("transforms.outbox.route.topic.replacement")]
    public string RouteTopicReplacement { get; set; } // from settings

    [JsonProperty("connector.class")]
    public string ConnectorClass { get; } = "io.debezium.connector.postgresql.PostgresConnector";

    [JsonProperty("tasks.max")]
    public string TasksMax { get; } = "1";

    [JsonProperty("schema.include.list")]
    public string SchemaIncludeList { get; } = "public";

    [JsonProperty("table.include.list")]
    public string TableIncludeList { get; } = "public.OutboxMessages";

    [JsonProperty("tombstones.on.delete")]
    public string TombstonesOnDelete { get; } = "false";

    [JsonProperty("transforms")]
    public string Transforms { get; } = "outbox";

    [JsonProperty("transforms.outbox.type")]
    public string OutboxType { get; } = "io.debezium.transforms.outbox.EventRouter";

    [JsonProperty("transforms.outbox.table.field.event.id")]
    public string FieldEventId { get; } = "Id";

    [JsonProperty("transforms.outbox.table.field.event.key")]
    public string FieldEventKey { get; } = "AggregateType";

    [JsonProperty("transforms.outbox.table.field.event.timestamp")]
    public string FieldEventTimestamp { get; } = "Timestamp";

    [JsonProperty("transforms.outbox.table.field.event.payload")]
    public string FieldEventPayload { get; } = "Payload";

    [JsonProperty("transforms.outbox.route.by.field")]
    public string RouteByField { get; } = "AggregateType";

    [JsonProperty("transforms.outbox.table.fields.additional.placement")]
    public string FieldsAdditionalPlacement { get; } = "Type:header:eventType";

    [JsonProperty("transforms.outbox.debezium.expand.json.payload")]
    public string ExpandJsonPayload { get; } = "true";

    [JsonProperty("key.converter")]
    public string KeyConverter { get; } = "org.apache.kafka.connect.json.JsonConverter";

    [JsonProperty("key.converter.schemas.enable")]
    public string KeyConverterSchemasEnable { get; } = "false";

    [JsonProperty("value.converter")]
    public string ValueConverter { get; } = "org.apache.kafka.connect.json.JsonConverter";

    [JsonProperty("value.converter.schemas.enable")]
    public string ValueConverterSchemasEnable { get; } = "false";

    [JsonProperty("plugin.name")]
    public string PluginName { get; } = "pgoutput";
}
