# Registers the outbox connector of the purchase service. Run it when the AppHost is up.

$connect = "http://localhost:8083"

Write-Host "Waiting for Kafka Connect ..."
do {
    Start-Sleep -Seconds 2
    $up = try { Invoke-RestMethod -Uri "$connect/" -ErrorAction SilentlyContinue } catch { $null }
} while (-not $up)

$body = @{
    name = "purchase-outbox"
    config = @{
        "connector.class" = "io.debezium.connector.postgresql.PostgresConnector"
        "database.hostname" = "postgres"
        "database.port" = "5432"
        "database.user" = "postgres"
        "database.password" = "postgres"
        "database.dbname" = "purchasedb"
        "database.server.name" = "purchaseserver"
        "plugin.name" = "pgoutput"
        "slot.name" = "debezium_slot"
        "publication.name" = "dbz_publication"
        "table.include.list" = "public.outbox_messages"

        "key.converter" = "org.apache.kafka.connect.storage.StringConverter"
        "value.converter" = "org.apache.kafka.connect.json.JsonConverter"
        "value.converter.schemas.enable" = "false"

        "transforms" = "outbox"
        "transforms.outbox.type" = "io.debezium.transforms.outbox.EventRouter"
        "transforms.outbox.route.by.field" = "Topic"
        "transforms.outbox.table.field.event.id" = "Id"
        "transforms.outbox.table.field.event.key" = "AggregateId"
        "transforms.outbox.table.field.event.type" = "Type"
        "transforms.outbox.table.field.payload" = "Payload"
    }
} | ConvertTo-Json -Depth 10

Invoke-RestMethod -Uri "$connect/connectors" -Method Post -ContentType "application/json" -Body $body
Write-Host "done"
