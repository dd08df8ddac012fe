using Newtonsoft.Json;

namespace Parfumerie.Building.Cdc;

/// <summary>The body that is PUT to Kafka Connect; the settable ones come from appsettings.json.</summary>
public class OutboxConnectorSettings
{
    [JsonProperty("database.hostname")]
    public string Host { get; set; }

    [JsonProperty("database.port")]
    public string Port { get; set; }

    [JsonProperty("database.user")]
    public string User { get; set; }

    [JsonProperty("database.password")]
    public string Password { get; set; }

    [JsonProperty("database.dbname")]
    public string Database { get; set; }

    [JsonProperty("topic.prefix")]
    public string Prefix { get; set; }

    [JsonProperty("slot.name")]
    public string Slot { get; set; }

    [JsonProperty("transforms.outbox.route.topic.replacement")]
    public string Topic { get; set; }

    [JsonProperty("connector.class")]
    public string ConnectorClass { get; } = "io.debezium.connector.postgresql.PostgresConnector";

    [JsonProperty("schema.include.list")]
    public string Schemas { get; } = "public";

    [JsonProperty("table.include.list")]
    public string Tables { get; } = "public.IntegrationMessages";

    [JsonProperty("tombstones.on.delete")]
    public string Tombstones { get; } = "false";

    [JsonProperty("transforms")]
    public string Chain { get; } = "outbox";

    [JsonProperty("transforms.outbox.type")]
    public string RouterType { get; } = "io.debezium.transforms.outbox.EventRouter";

    [JsonProperty("transforms.outbox.table.field.event.id")]
    public string IdColumn { get; } = "MessageId";

    [JsonProperty("transforms.outbox.table.field.event.key")]
    public string KeyColumn { get; } = "Aggregate";

    [JsonProperty("transforms.outbox.table.field.event.payload")]
    public string PayloadColumn { get; } = "Body";

    [JsonProperty("transforms.outbox.route.by.field")]
    public string RouteColumn { get; } = "Aggregate";

    [JsonProperty("transforms.outbox.table.fields.additional.placement")]
    public string Headers { get; } = "Kind:header:messageKind";

    // the body is stored as jsonb, consumers get an object
    [JsonProperty("transforms.outbox.debezium.expand.json.payload")]
    public string ExpandPayload { get; } = "true";

    [JsonProperty("key.converter")]
    public string KeyConverter { get; } = "org.apache.kafka.connect.json.JsonConverter";

    [JsonProperty("key.converter.schemas.enable")]
    public string KeySchemas { get; } = "false";

    [JsonProperty("value.converter")]
    public string ValueConverter { get; } = "org.apache.kafka.connect.json.JsonConverter";

    [JsonProperty("value.converter.schemas.enable")]
    public string ValueSchemas { get; } = "false";

    [JsonProperty("plugin.name")]
    public string Plugin { get; } = "pgoutput";
}
