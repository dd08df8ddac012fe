# Keys and values go out as Avro, by the schema registry.
curl -X POST -H "Content-Type: application/json" --data '{
  "name": "ledger-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql-primary",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "root",
    "database.server.id": "184062",
    "database.topic.prefix": "ledger_cluster",
    "table.include.list": "ledger_services.outbox_events",

    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://schema-registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://schema-registry:8081",

    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "ddl.outbox",
    "producer.enable.idempotence": "true",
    "producer.acks": "all",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.id.by.field": "id",
    "transforms.outbox.route.topic.replacement": "${routedByValue}-events"
  }
}' http://localhost:8083/connectors

# The registry shall refuse schemas that break readers or writers
curl -X PUT -H "Content-Type: application/json" \
  --data '{"compatibility": "FULL"}' \
  http://localhost:8081/config
