# .NET sample, step 8: waits for Kafka Connect and registers the outbox connector
Write-Host "Waiting for Kafka Connect ..."
do {
    Start-Sleep -Seconds 2
    $up = try { Invoke-RestMethod -Uri "http://localhost:8083/" -ErrorAction SilentlyContinue } catch { $null }
} while (-not $up)

$body = @{
    name = "basket-outbox"
    config = @{
        "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
        "database.hostname" = "postgres"
        "database.port" = "5432"
        "database.user" = "postgres"
        "database.password" = "postgres"
        "database.dbname" = "basketdb"
        "database.server.name" = "pgbasket"
        "table.include.list" = "public.basket_messages"
        "publication.name" = "dbz_publication"
        "plugin.name" = "pgoutput"
        "slot.name" = "debezium_slot"

        "transforms" = "outbox"
        "transforms.outbox.type" = "io.debezium.transforms.outbox.EventRouter"
        "transforms.outbox.table.field.event.id" = "Id"
        "transforms.outbox.table.field.event.key" = "AggregateId"
        "transforms.outbox.table.field.event.type" = "Type"
        "transforms.outbox.table.field.payload" = "Payload"
        "transforms.outbox.route.by.field" = "Topic"

        "key.converter" = "org.apache.kafka.connect.storage.StringConverter"
        "value.converter" = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable" = "false"
    }
} | ConvertTo-Json -Depth 10

Invoke-RestMethod -Uri "http://localhost:8083/connectors" `
    -Method Post `
    -ContentType "application/json" `
    -Body $body

Write-Host "Registered."
