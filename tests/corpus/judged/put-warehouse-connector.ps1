$headers = @{
    "Content-Type" = "application/json"
    "Accept" = "application/json"
}
$body = @{
    "connector.class" = "io.debezium.connector.mysql.MySqlConnector"
    "tasks.max" = "1"
    "database.hostname" = "mysql-follower"
    "database.port" = "3306"
    "database.user" = "debezium"
    "database.password" = "dbz"
    "database.server.id" = "184054"
    "topic.prefix" = "warehouse1"
    "database.include.list" = "warehouse"
    "schema.history.internal.kafka.bootstrap.servers" = "kafka:9092"
    "schema.history.internal.kafka.topic" = "schema-changes.warehouse"
} | ConvertTo-Json
Invoke-WebRequest -Uri 'http://localhost:8083/connectors/warehouse-connector/config' -Method Put -Headers $headers -Body $body
