using System.Net.Http.Json;

namespace Depot.Provisioning;

/// <summary>
/// Solution of "signals are ignored when a connector reads two databases": names of tables in signals and in
/// signal.data.collection have three parts on SQL Server (database.schema.table), those of table.include.list two.
/// With a single task one signal table is enough for both databases.
/// </summary>
public sealed class SqlServerConnectorSetup(HttpClient connect, IConfiguration settings)
{
    private Dictionary<string, string> Config() => new()
    {
        ["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector",
        ["tasks.max"] = "1",
        ["database.hostname"] = settings["Sql:Host"]!,
        ["database.port"] = "1433",
        ["database.user"] = settings["Sql:CdcUser"]!,
        ["database.password"] = settings["Sql:CdcPassword"]!,
        ["database.names"] = "DepotNorth,DepotSouth",
        ["topic.prefix"] = "depots",
        ["table.include.list"] = "dbo.Pallet,dbo.Movement",
        ["signal.data.collection"] = "DepotNorth.dbo.DebeziumSignal",
        ["schema.history.internal.kafka.bootstrap.servers"] = settings["Kafka:Brokers"]!,
        ["schema.history.internal.kafka.topic"] = "depots.history",
        ["driver.encrypt"] = "true",
        ["driver.trustServerCertificate"] = "false",
        ["driver.trustStore"] = "/etc/connect/mssql-ca.jks",
        ["driver.trustStorePassword"] = "${file:/etc/connect/tls.properties:truststore}",
        ["data.query.mode"] = "direct",
    };

    public async Task ApplyAsync(CancellationToken ct)
    {
        using var reply = await connect.PutAsJsonAsync("connectors/depots/config", Config(), ct);
        reply.EnsureSuccessStatusCode();
    }
}
