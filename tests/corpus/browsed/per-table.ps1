# one connector per table of the HR database
$tables = @("Contracts", "Staff", "PayRuns")

$connect = "http://localhost:8083/connectors"

foreach ($table in $tables) {
    $body = @{
        name = "hr-$table"
        config = @{
            "name" = "hr-$table"
            "connector.class" = "io.debezium.connector.sqlserver.SqlServerConnector"
            "database.hostname" = "host.docker.internal"
            "database.user" = "SA"
            "database.password" = "Password1!"
            "database.names" = "HrDb"
            "topic.prefix" = "hr"
            "table.include.list" = "dbo.$table"
            "snapshot.mode" = "initial"
            "schema.history.internal.kafka.topic" = "ddl.dbo.$table"
            "schema.history.internal.kafka.bootstrap.servers" = "redpanda:29092"
            "value.converter" = "io.confluent.connect.avro.AvroConverter"
            "value.converter.schema.registry.url" = "http://redpanda:8081"
            "key.converter" = "io.confluent.connect.avro.AvroConverter"
            "key.converter.schema.registry.url" = "http://redpanda:8081"
            "time.precision.mode" = "connect"
            "database.encrypt" = "false"
            # stamp every event with the connector that sent it
            "event.metadata.source.connector.name" = "hr-$table"
            "event.metadata.source.connector.version" = "1.2"
            "event.metadata.field.addition" = "hr.source.connector=hr-$table"
        }
    }

    $json = $body | ConvertTo-Json -Depth 3
    $answer = Invoke-RestMethod -Uri $connect -Method Post -ContentType "application/json" -Body $json
    Write-Output "hr-${table}: $answer"
}
