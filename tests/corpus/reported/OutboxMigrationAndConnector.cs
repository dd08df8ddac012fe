using System.Net.Http.Json;
using Microsoft.EntityFrameworkCore.Migrations;

namespace Acme.Hotels.Outbox;

public partial class AddOutbox : Migration
{
    protected override void Up(MigrationBuilder migrationBuilder)
    {
        migrationBuilder.Sql("""
            CREATE TABLE hotels.outbox (
                id            uuid PRIMARY KEY,
                aggregatetype varchar(255) NOT NULL,
                aggregateid   varchar(255) NOT NULL,
                type          varchar(255) NOT NULL,
                payload       jsonb NOT NULL
            );
            CREATE PUBLICATION hotels_outbox FOR TABLE hotels.outbox;
            """);
    }

    protected override void Down(MigrationBuilder migrationBuilder) =>
        migrationBuilder.Sql("DROP PUBLICATION hotels_outbox; DROP TABLE hotels.outbox;");
}

public static class OutboxConnector
{
    public static async Task RegisterAsync(HttpClient connect, CancellationToken ct)
    {
        var config = new Dictionary<string, string>
        {
            ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
            ["tasks.max"] = "1",
            ["database.hostname"] = "hotels-db",
            ["database.port"] = "5432",
            ["database.user"] = "debezium",
            ["database.password"] = "${env:HOTELS_DB_PASSWORD}",
            ["database.dbname"] = "hotels",
            ["topic.prefix"] = "hotels",
            ["plugin.name"] = "pgoutput",
            ["slot.name"] = "hotels_outbox",
            ["publication.autocreate.mode"] = "disabled",
            ["table.include.list"] = "hotels.outbox",
            ["transforms"] = "outbox",
            ["transforms.outbox.type"] = "io.debezium.transforms.outbox.EventRouter",
            ["transforms.outbox.route.topic.replacement"] = "hotels.${routedByValue}",
            ["key.converter"] = "org.apache.kafka.connect.storage.StringConverter",
            ["value.converter"] = "org.apache.kafka.connect.storage.StringConverter",
        };

        var response = await connect.PutAsJsonAsync("/connectors/hotels-outbox/config", config, ct);
        response.EnsureSuccessStatusCode();
    }
}
