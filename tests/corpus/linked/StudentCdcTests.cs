using System.Net.Http.Json;
using Confluent.Kafka;
using DotNet.Testcontainers.Builders;
using Microsoft.Data.SqlClient;
using Testcontainers.MsSql;
using Xunit;

namespace Campus.Cdc.Tests;

public sealed class StudentCdcTests : IAsyncLifetime
{
    private const string Password = "yourStrong(!)Password";
    private readonly DotNet.Testcontainers.Networks.INetwork _net = new NetworkBuilder().Build();
    private MsSqlContainer _sql = null!;
    private DotNet.Testcontainers.Containers.IContainer _kafka = null!, _connect = null!;

    public async Task InitializeAsync()
    {
        _sql = new MsSqlBuilder()
            .WithImage("mcr.example.org/mssql/server:2022-CU14")
            .WithNetwork(_net).WithNetworkAliases("sql")
            .WithPassword(Password)
            .WithEnvironment("MSSQL_AGENT_ENABLED", "true")
            .Build();
        _kafka = new ContainerBuilder()
            .WithImage("artifacts.example.org/ci/kafka-kraft:3.8")
            .WithNetwork(_net).WithNetworkAliases("kafka")
            .WithPortBinding(9094, 9094).Build();
        _connect = new ContainerBuilder()
            .WithImage("debezium/connect:3.0.0.Final")
            .WithNetwork(_net).WithPortBinding(8083, true)
            .WithEnvironment("BOOTSTRAP_SERVERS", "kafka:9092")
            .WithEnvironment("GROUP_ID", "campus")
            .WithEnvironment("CONFIG_STORAGE_TOPIC", "campus-configs")
            .WithEnvironment("OFFSET_STORAGE_TOPIC", "campus-offsets")
            .WithEnvironment("STATUS_STORAGE_TOPIC", "campus-status")
            .WithWaitStrategy(Wait.ForUnixContainer().UntilHttpRequestIsSucceeded(r => r.ForPort(8083).ForPath("/connectors")))
            .Build();
        await _net.CreateAsync();
        await Task.WhenAll(_sql.StartAsync(), _kafka.StartAsync());
        await _connect.StartAsync();

        await _sql.ExecScriptAsync("""
            CREATE DATABASE Campus;
            GO
            USE Campus;
            EXEC sys.sp_cdc_enable_db;
            CREATE TABLE dbo.Students (Id int PRIMARY KEY, Name nvarchar(100) NOT NULL);
            EXEC sys.sp_cdc_enable_table @source_schema = N'dbo', @source_name = N'Students', @role_name = NULL;
            GO
            """);

        var connector = new Dictionary<string, object>
        {
            ["connector.class"] = "io.debezium.connector.sqlserver.SqlServerConnector",
            ["tasks.max"] = "1",
            ["database.hostname"] = "sql",
            ["database.port"] = "1433",
            ["database.user"] = "sa",
            ["database.password"] = Password,
            ["database.names"] = "Campus",
            ["topic.prefix"] = "campus",
            ["table.include.list"] = "dbo.Students",
            ["schema.history.internal.kafka.bootstrap.servers"] = "kafka:9092",
            ["schema.history.internal.kafka.topic"] = "campus.history",
        };
        using var http = new HttpClient { BaseAddress = new Uri($"http://localhost:{_connect.GetMappedPublicPort(8083)}") };
        (await http.PutAsJsonAsync("/connectors/students/config", connector)).EnsureSuccessStatusCode();
    }

    [Fact]
    public async Task Insert_is_published()
    {
        await using var db = new SqlConnection(_sql.GetConnectionString() + ";Database=Campus");
        await db.OpenAsync();
        await new SqlCommand("INSERT INTO dbo.Students VALUES (1, N'Ada')", db).ExecuteNonQueryAsync();
        using var consumer = new ConsumerBuilder<string, string>(new ConsumerConfig
        { BootstrapServers = "localhost:9094", GroupId = "t", AutoOffsetReset = AutoOffsetReset.Earliest }).Build();
        consumer.Subscribe("campus.Campus.dbo.Students");
        Assert.NotNull(consumer.Consume(TimeSpan.FromSeconds(60)));
    }

    public async Task DisposeAsync() { await _connect.DisposeAsync(); await _kafka.DisposeAsync(); await _sql.DisposeAsync(); }
}
