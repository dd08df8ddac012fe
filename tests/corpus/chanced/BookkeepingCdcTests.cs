using System.Net.Http.Json;
using DotNet.Testcontainers.Builders;
using Testcontainers.PostgreSql;

namespace Example.Analytics.Tests;

/// PostgreSQL -> Debezium -> Kafka -> ClickHouse (Kafka engine and a materialized view), no code of ours in between.
public sealed class BookkeepingCdcTests : IAsyncLifetime
{
    private const string WorkerImage = "debezium/connect:3.0.0.Final";

    public async Task InitializeAsync()
    {
        _postgres = new PostgreSqlBuilder("postgres:16").WithNetwork(_net).WithNetworkAliases("pg")
            .WithDatabase("books_db").WithUsername("postgres").WithPassword("postgres")
            .WithCommand("-c", "wal_level=logical").Build();
        _worker = new ContainerBuilder(WorkerImage).WithNetwork(_net)
            .WithEnvironment("BOOTSTRAP_SERVERS", "broker:9094")
            .WithEnvironment("GROUP_ID", "analytics-test")
            .WithEnvironment("CONFIG_STORAGE_TOPIC", "c").WithEnvironment("OFFSET_STORAGE_TOPIC", "o").WithEnvironment("STATUS_STORAGE_TOPIC", "s")
            .WithPortBinding(8083, true).Build();
        await StartAllAsync();
        await Sql("""CREATE TABLE "Bookings" ("Id" BIGSERIAL PRIMARY KEY, "Ref" UUID NOT NULL, "Amount" NUMERIC NOT NULL);""");
        await RegisterAsync();
        await ClickHouse("""
            CREATE TABLE analytics.bookings_queue (Id Int64, Ref UUID, Amount String, __deleted String)
            ENGINE = Kafka SETTINGS kafka_broker_list = 'broker:9094', kafka_topic_list = 'cdc.books.public.Bookings',
              kafka_group_name = 'ch-bookings', kafka_format = 'JSONEachRow', kafka_skip_broken_messages = 5
            """);
        await ClickHouse("""
            CREATE MATERIALIZED VIEW analytics.bookings_mv TO analytics.bookings AS
            SELECT Id, Ref, toDecimal64(Amount, 4) AS Amount FROM analytics.bookings_queue WHERE __deleted = 'false'
            """);
    }

    private async Task RegisterAsync()
    {
        object body = new
        {
            name = "books-test",
            config = new Dictionary<string, string>
            {
                ["connector.class"] = "io.debezium.connector.postgresql.PostgresConnector",
                ["tasks.max"] = "1",
                ["database.hostname"] = "pg",
                ["database.port"] = "5432",
                ["database.user"] = "postgres",
                ["database.password"] = "postgres",
                ["database.dbname"] = "books_db",
                ["topic.prefix"] = "cdc.books",
                ["plugin.name"] = "pgoutput",
                ["slot.name"] = "books_slot",
                ["publication.autocreate.mode"] = "filtered",
                ["table.include.list"] = "public.Bookings",
                ["decimal.handling.mode"] = "string",
                ["key.converter"] = "org.apache.kafka.connect.json.JsonConverter",
                ["key.converter.schemas.enable"] = "false",
                ["value.converter"] = "org.apache.kafka.connect.json.JsonConverter",
                ["value.converter.schemas.enable"] = "false",
                ["transforms"] = "unwrap",
                ["transforms.unwrap.type"] = "io.debezium.transforms.ExtractNewRecordState",
                ["transforms.unwrap.drop.tombstones"] = "false",
                ["transforms.unwrap.delete.handling.mode"] = "rewrite"
            }
        };
        using HttpClient http = new() { BaseAddress = new Uri($"http://{_worker.Hostname}:{_worker.GetMappedPublicPort(8083)}") };
        (await http.PostAsJsonAsync("/connectors", body)).EnsureSuccessStatusCode();
    }
}
