using System.Net.Http.Json;

namespace Example.Foundry.Cdc;

/// <summary>Registers the outbox connector. The payload column is bytea and holds Avro that the service serialized itself.</summary>
public sealed class FoundryConnector(HttpClient connect, FoundryDbOptions db)
{
    private const string Name = "foundry-outbox";

    private Dictionary<string, string> Config() => new()
    {
        ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
        ["tasks.max"] = "1",
        ["database.hostname"] = db.Host,
        ["database.port"] = db.Port.ToString(),
        ["database.user"] = db.User,
        ["database.password"] = db.Password,
        ["database.dbname"] = "foundry",
        ["topic.prefix"] = "foundry",
        ["plugin.name"] = "pgoutput",
        ["slot.name"] = "foundry_outbox",
        ["publication.name"] = "foundry_outbox",
        ["publication.autocreate.mode"] = "filtered",
        ["table.include.list"] = "casting.outbox",
        ["heartbeat.interval.ms"] = "15000",
        ["key.converter"] = "org.apache.kafka.connect.storage.StringConverter",
        ["value.converter"] = "io.debezium.converters.BinaryDataConverter",
        ["transforms"] = "outbox",
        ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
        ["transforms.outbox.table.fields.additional.placement"] = "type:header:eventType",
        ["transforms.outbox.route.topic.replacement"] = "foundry.${routedByValue}",
    };

    public async Task ApplyAsync(CancellationToken ct)
    {
        var response = await connect.PutAsJsonAsync($"connectors/{Name}/config", Config(), ct);
        response.EnsureSuccessStatusCode();
    }
}
