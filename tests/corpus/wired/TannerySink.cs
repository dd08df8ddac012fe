using System.Net.Http.Json;

namespace Example.Tannery.Deploy;

/// <summary>Puts the pair of connectors that copies the hides from production to reporting (Debezium 3.4 on both sides).</summary>
public static class TannerySink
{
    private static readonly Dictionary<string, string> Source = new()
    {
        ["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector",
        ["database.hostname"] = "sql.tannery.internal",
        ["database.port"] = "1433",
        ["database.user"] = "cdc_reader",
        ["database.password"] = Secret("TANNERY_CDC_PASSWORD"),
        ["database.names"] = "Tannery",
        ["topic.prefix"] = "tannery",
        ["table.include.list"] = "dbo.Hides",
        ["schema.history.internal.kafka.bootstrap.servers"] = "kafka:9092",
        ["schema.history.internal.kafka.topic"] = "tannery.schema-history",
    };

    // the old sink was Confluent's; same database, same table
    private static readonly Dictionary<string, string> Sink = new()
    {
        ["connector.class"] = "io.debezium.connector.jdbc.JdbcSinkConnector",
        ["tasks.max"] = "1",
        ["topics"] = "tannery.Tannery.dbo.Hides",
        ["connection.url"] = "jdbc:postgresql://reporting:5432/reporting",
        ["connection.user"] = "hides_writer",
        ["connection.password"] = Secret("TANNERY_REPORTING_PASSWORD"),
        ["insert.mode"] = "upsert",
        ["pk.mode"] = "record_key",
        ["collection.name.format"] = "hides",
    };

    public static async Task Main()
    {
        using var http = new HttpClient { BaseAddress = new Uri("http://connect:8083/") };
        foreach (var (name, config) in new[] { ("hides-source", Source), ("hides-sink", Sink) })
        {
            var answer = await http.PutAsJsonAsync($"connectors/{name}/config", config);
            answer.EnsureSuccessStatusCode();
            Console.WriteLine($"{name}: {(int)answer.StatusCode}");
        }
    }

    private static string Secret(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set");
}
