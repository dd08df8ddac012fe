# Writes the suppliers of the Postgres side into SQL Server
curl -X POST http://localhost:8083/connectors \
-H "Content-Type: application/json" \
-d '{
  "name": "suppliers-mssql-sink",
  "config": {
    "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
    "tasks.max": "1",
    "topics": "erp.public.Suppliers",
    "connection.url": "jdbc:sqlserver://mssql:1433;databaseName=supply;encrypt=true;trustServerCertificate=true;",
    "connection.username": "sa",
    "connection.password": "Password123",
    "table.name.format": "suppliers",
    "schema.evolution": "basic",
    "auto.create": "true",
    "auto.evolve": "true",
    "insert.mode": "upsert",
    "primary.key.mode": "record_value",
    "primary.key.fields": "SupplierId",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "true",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "true",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "true",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "quote.identifiers": "true"
  }
}'
