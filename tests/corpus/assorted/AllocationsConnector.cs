using System.Net.Http.Json;

namespace Example.Roster.Api.Hosting;

/// <summary>Creates the connector when the API starts, if it is not there.</summary>
public sealed class AllocationsConnector : BackgroundService
{
    private readonly IHttpClientFactory _clients;
    private readonly IConfiguration _settings;
    private readonly ILogger<AllocationsConnector> _log;

    public AllocationsConnector(IHttpClientFactory clients, IConfiguration settings, ILogger<AllocationsConnector> log)
        => (_clients, _settings, _log) = (clients, settings, log);

    protected override async Task ExecuteAsync(CancellationToken stop)
    {
        var http = _clients.CreateClient("connect");
        http.BaseAddress = new Uri(_settings["Kafka:ConnectUrl"] ?? "http://connect:8083");

        while (!stop.IsCancellationRequested)
        {
            try
            {
                var names = await http.GetFromJsonAsync<List<string>>("/connectors", stop);
                if (names != null && names.Contains("mssql-shifts")) return;

                var body = new
                {
                    name = "mssql-shifts",
                    config = new Dictionary<string, string>
                    {
                        ["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector",
                        ["database.hostname"] = "mssql",
                        ["database.port"] = "1433",
                        ["database.user"] = "sa",
                        ["database.password"] = _settings["Sql:SaPassword"]!,
                        ["database.names"] = "Roster",
                        ["table.include.list"] = "dbo.Shifts",
                        ["topic.prefix"] = "roster",
                        ["schema.history.internal.kafka.bootstrap.servers"] = "kafka:9092",
                        ["schema.history.internal.kafka.topic"] = "ddl.roster",
                        ["snapshot.mode"] = "schema_only"
                    }
                };
                var answer = await http.PostAsJsonAsync("/connectors", body, stop);
                if (answer.IsSuccessStatusCode) return;
                _log.LogWarning("connector refused: {Status}", answer.StatusCode);
            }
            catch (HttpRequestException e)
            {
                _log.LogWarning(e, "connect is not up yet");
            }
            await Task.Delay(TimeSpan.FromSeconds(5), stop);
        }
    }
}
