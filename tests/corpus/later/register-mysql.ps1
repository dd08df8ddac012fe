# creates (or recreates) the source of the HR database
$connect = "http://localhost:8083"

Invoke-RestMethod -Method DELETE -Uri "$connect/connectors/hr-source" -ErrorAction SilentlyContinue

Invoke-RestMethod `
  -Method POST `
  -Uri "$connect/connectors" `
  -Headers @{ "Content-Type" = "application/json" } `
  -Body '{
    "name": "hr-source",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "tasks.max": "1",
      "database.hostname": "hr-mysql",
      "database.port": "3306",
      "database.user": "root",
      "database.password": "Gk29-vTqLw71",
      "database.server.id": "40117",
      "topic.prefix": "hr",
      "database.include.list": "hr",
      "table.include.list": "hr.employee_",
      "database.history.kafka.bootstrap.servers": "kafka:9092",
      "database.history.kafka.topic": "schema-changes.hr",
      "include.schema.changes": "false"
    }
  }'
