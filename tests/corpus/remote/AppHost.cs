var builder = DistributedApplication.CreateBuilder(args);

var dbPassword = builder.AddParameter("pg-password", "postgres");

var database = builder.AddPostgres("database")
    .WithPgAdmin(admin => admin.WithImageTag("9.2.0"))
    .WithPassword(dbPassword)
    .WithImageTag("16.4")
    .WithArgs("-c", "wal_level=logical");//debezium needs this

var broker = builder.AddKafka("broker", 57211);

var connect = builder.AddContainer("cdc-connect", "quay.io/debezium/connect", "latest")
    .WithHttpEndpoint(port: 8083, targetPort: 8083, name: "http")
    .WithEnvironment("BOOTSTRAP_SERVERS", "broker:9093")
    .WithEnvironment("GROUP_ID", "cdc-cluster")
    .WithEnvironment("CONFIG_STORAGE_TOPIC", "cdc-configs")
    .WithEnvironment("OFFSET_STORAGE_TOPIC", "cdc-offsets")
    .WithEnvironment("STATUS_STORAGE_TOPIC", "cdc-status")
    .WithEnvironment("CONFIG_STORAGE_REPLICATION_FACTOR", "1")
    .WithEnvironment("OFFSET_STORAGE_REPLICATION_FACTOR", "1")
    .WithEnvironment("STATUS_STORAGE_REPLICATION_FACTOR", "1")
    .WaitFor(broker);

/*
 * Registration goes through PowerShell, so this only runs on Windows
 */
builder.AddExecutable("register-connector", "powershell.exe", ".", "-Command",
    @"$max = 10; $n = 0; do { try { Invoke-RestMethod -Uri http://localhost:8083/connectors -Method POST -ContentType 'application/json' -Body $env:OUTBOX_CONNECTOR; break } catch { $n++; if ($n -lt $max) { Start-Sleep -Seconds 5 } else { throw } } } while ($n -lt $max)")
    .WithEnvironment("OUTBOX_CONNECTOR", /*lang=json,strict*/ """
    {
      "name": "tickets-outbox-connector",
      "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "database",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "postgres",
        "database.server.name": "ticketsrv1",
        "table.include.list": "public.integration_messages",
        "publication.name": "cdc_publication",
        "plugin.name": "pgoutput",
        "topic.prefix": "ticketsrv1",
        "transforms": "outbox",
        "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.table.field.event.id": "Id",
        "transforms.outbox.table.field.event.key": "AggregateId",
        "transforms.outbox.table.field.event.payload": "Payload",
        "transforms.outbox.route.by.field": "Topic",
        "transforms.outbox.route.topic.regex": "(.*)",
        "transforms.outbox.route.topic.replacement": "$1",
        "transforms.outbox.table.expand.json.payload": "false",
        "transforms.outbox.table.fields.additional.placement": "Headers:header:__tickets.outbox.headers",
        "key.converter": "org.apache.kafka.connect.storage.StringConverter",
        "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",
        "slot.name": "tickets_outbox_slot",
        "tombstones.on.delete": "false",
        "errors.tolerance": "all",
        "errors.log.enable": "true",
        "errors.log.include.messages": "true"
      }
    }
    """)
    .WaitForStart(connect)
    .WaitForStart(database);

builder.AddProject<Projects.TicketsApi>("ticketsapi")
    .WithReference(database)
    .WithReference(broker)
    .WaitFor(database)
    .WaitFor(broker);

builder.Build().Run();
