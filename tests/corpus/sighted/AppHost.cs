using Aspire.Hosting;
using Microsoft.Extensions.Configuration;

var builder = DistributedApplication.CreateBuilder(args);

// Fixed passwords: the Debezium configuration is put together as text from the same parameters.
var pgPassword = builder.AddParameter("pg-password", "bench_demo_password", secret: true);
var mqUser = builder.AddParameter("mq-user", "guest");
var mqPassword = builder.AddParameter("mq-password", "bench_demo_password", secret: true);

// Both pipelines run the same engine, or the numbers would compare engines and not brokers.
const string ServerVersion = "3.6.2.Final";

var postgres = builder.AddPostgres("postgres", password: pgPassword)
    .WithArgs("-c", "wal_level=logical")
    .WithArgs("-c", "max_replication_slots=48")
    .WithArgs("-c", "wal_sender_timeout=0")
    .WithDataVolume();
var database = postgres.AddDatabase("bench");
var kafka = builder.AddKafka("kafka").WithDataVolume();
var rabbit = builder.AddRabbitMQ("rabbit", userName: mqUser, password: mqPassword).WithDataVolume();
var migrations = builder.AddProject<Projects.Migrations>("migrations").WithReference(database).WaitFor(database);

// The common half. The position lives in memory and the slot goes with the container: after a run nothing remains,
// the next one starts with a clean sheet. That is meant, this is a load test.
static string Source(string prefix, string slot, string password) =>
    $"""
     debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector
     debezium.source.offset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore
     debezium.source.offset.flush.interval.ms=0
     debezium.source.database.hostname=postgres
     debezium.source.database.port=5432
     debezium.source.database.user=postgres
     debezium.source.database.password={password}
     debezium.source.database.dbname=bench
     debezium.source.topic.prefix={prefix}
     debezium.source.table.include.list=public.letters
     debezium.source.plugin.name=pgoutput
     debezium.source.slot.name={slot}
     debezium.source.publication.name=bench_pub
     debezium.source.publication.autocreate.mode=disabled
     debezium.source.snapshot.mode=no_data
     debezium.source.slot.drop.on.stop=true
     debezium.source.tombstones.on.delete=false
     debezium.source.skipped.operations=t,u,d
     debezium.source.max.batch.size=8192
     debezium.source.max.queue.size=32768
     debezium.format.key=json
     debezium.format.key.schemas.enable=false
     debezium.format.value=json
     debezium.format.value.schemas.enable=false
     """;

builder.AddContainer("relay-kafka", "quay.io/debezium/server", ServerVersion)
    .WithContainerFiles("/debezium/config", async (_, ct) =>
    [
        new ContainerFile
        {
            Name = "application.properties",
            Contents = $"""
             debezium.sink.type=kafka
             debezium.sink.kafka.producer.bootstrap.servers=kafka:9093
             debezium.sink.kafka.producer.key.serializer=org.apache.kafka.common.serialization.StringSerializer
             debezium.sink.kafka.producer.value.serializer=org.apache.kafka.common.serialization.StringSerializer
             debezium.sink.kafka.producer.acks=all
             debezium.sink.kafka.producer.linger.ms=10
             {Source("benchk", "bench_kafka", await pgPassword.Resource.GetValueAsync(ct))}
             """,
        },
    ])
    .WaitFor(kafka).WaitForCompletion(migrations).WithExplicitStart();

builder.AddContainer("relay-rabbit", "quay.io/debezium/server", ServerVersion)
    .WithContainerFiles("/debezium/config", async (_, ct) =>
    [
        new ContainerFile
        {
            Name = "application.properties",
            Contents = $"""
             debezium.sink.type=rabbitmq
             debezium.sink.rabbitmq.connection.host=rabbit
             debezium.sink.rabbitmq.connection.port=5672
             debezium.sink.rabbitmq.connection.username={await mqUser.Resource.GetValueAsync(ct)}
             debezium.sink.rabbitmq.connection.password={await mqPassword.Resource.GetValueAsync(ct)}
             debezium.sink.rabbitmq.exchange=bench-in
             debezium.sink.rabbitmq.routingKey=letters
             debezium.sink.rabbitmq.routingKey.source=static
             debezium.sink.rabbitmq.autoCreateRoutingKey=false
             debezium.sink.rabbitmq.deliveryMode=2
             {Source("benchq", "bench_rabbit", await pgPassword.Resource.GetValueAsync(ct))}
             """,
        },
    ])
    .WaitFor(rabbit).WaitForCompletion(migrations).WithExplicitStart();

builder.Build().Run();
