using System.Net.Http.Json;
using Microsoft.Data.SqlClient;

namespace Canteen.Cdc;

/// <summary>Creates the database of the canteen and the connector for it (integration tests).</summary>
public sealed class CdcSetup(string master, HttpClient connect)
{
    private static readonly string[] Statements =
    [
        "CREATE DATABASE Canteen",
        "USE Canteen; EXEC sys.sp_cdc_enable_db",
        "USE Canteen; CREATE TABLE dbo.Meal (Id int IDENTITY PRIMARY KEY, Name nvarchar(80) NOT NULL, Price money NOT NULL)",
        "USE Canteen; EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'Meal', @role_name = NULL",
    ];

    public async Task RunAsync(CancellationToken ct)
    {
        await using var db = new SqlConnection(master);
        await db.OpenAsync(ct);
        foreach (var sql in Statements)
        {
            await using var cmd = new SqlCommand(sql, db);
            await cmd.ExecuteNonQueryAsync(ct);
        }

        var config = new Dictionary<string, string>
        {
            ["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector",
            ["database.hostname"] = "sqlserver",
            ["database.port"] = "1433",
            ["database.user"] = "${env:MSSQL_USER}",
            ["database.password"] = "${env:MSSQL_PASSWORD}",
            ["database.names"] = "Canteen",
            ["database.encrypt"] = "false",
            ["topic.prefix"] = "canteen",
            ["table.include.list"] = "dbo.Meal",
            ["snapshot.mode"] = "initial",
            ["snapshot.isolation.mode"] = "snapshot",
            ["schema.history.internal.kafka.bootstrap.servers"] = "kafka:9092",
            ["schema.history.internal.kafka.topic"] = "canteen.history",
        };
        var answer = await connect.PutAsJsonAsync("connectors/canteen/config", config, ct);
        answer.EnsureSuccessStatusCode();
    }
}
