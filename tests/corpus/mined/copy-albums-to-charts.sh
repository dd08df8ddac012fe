# The charts service keeps a read-only copy of the albums. Run from a machine with kubectl access.
kubectl exec -it toolbox -- curl -X POST http://connect-svc:8083/connectors -H "Content-Type: application/json" -d '{
  "name": "albums-into-charts",
  "config": {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "tasks.max": "1",
    "topics": "albums",
    "connection.url": "jdbc:postgresql://charts-pg:5432/charts",
    "connection.user": "postgres",
    "connection.password": "postgres",
    "dialect.name": "PostgreSqlDatabaseDialect",
    "transforms": "flatten",
    "transforms.flatten.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.flatten.drop.tombstones": "false",
    "auto.create": "true",
    "insert.mode": "upsert",
    "delete.enabled": "true",
    "pk.fields": "album_id",
    "pk.mode": "record_key"
  }
}
'
