using System.Net.Http.Json;
using System.Text.Json.Nodes;

namespace Outpost.IntegrationTests;

public sealed class ConnectFixture
{
    public static async Task CreateConnectorAsync(HttpClient http, string baseUrl, string connectorName)
    {
        var exists = await http.GetAsync($"{baseUrl}/connectors/{connectorName}");
        if (!exists.IsSuccessStatusCode)
        {
            var body = new JsonObject
            {
                ["name"] = connectorName,
                ["config"] = new JsonObject
                {
                    ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
                    ["database.hostname"] = "postgres",
                    ["database.port"] = "5432",
                    ["database.user"] = "postgres",
                    ["database.password"] = "postgres",
                    ["database.dbname"] = "postgres",
                    ["database.server.name"] = "outpost",
                    ["table.include.list"] = "public.pending_messages",
                    ["publication.name"] = "outpost_publication",
                    ["plugin.name"] = "pgoutput",
                    ["topic.prefix"] = "outpost",
                    ["transforms"] = "outbox,unfoldHeaders",
                    ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
                    ["transforms.outbox.table.field.event.id"] = "Id",
                    ["transforms.outbox.table.field.event.key"] = "AggregateId",
                    ["transforms.outbox.table.field.event.payload"] = "Payload",
                    ["transforms.outbox.route.by.field"] = "Topic",
                    ["transforms.outbox.route.topic.regex"] = "(.*)",
                    ["transforms.outbox.route.topic.replacement"] = "$1",
                    ["transforms.outbox.table.expand.json.payload"] = "false",
                    ["transforms.outbox.table.fields.additional.placement"] = "Headers:header:__outpost.headers",
                    ["transforms.unfoldHeaders.type"] = "outpost.kafka.connect.transforms.HeaderUnfolder",
                    ["key.converter"] = "org.apache.kafka.connect.storage.StringConverter",
                    ["value.converter"] = "org.apache.kafka.connect.converters.ByteArrayConverter",
                    ["slot.name"] = "outpost_slot",
                    ["tombstones.on.delete"] = "false",
                    ["errors.tolerance"] = "all",
                    ["errors.log.enable"] = "true",
                    ["errors.log.include.messages"] = "true"
                }
            };

            var response = await http.PostAsJsonAsync($"{baseUrl}/connectors", body);
            response.EnsureSuccessStatusCode();
        }
    }
}
