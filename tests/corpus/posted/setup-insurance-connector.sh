# Register the outbox connector of the claims service (MySQL primary, Avro on the wire)
#
# claims.outbox_events: id, aggregate_type, aggregate_id, event_type, payload, created_at
curl -X POST -H "Content-Type: application/json" --data '{
  "name": "claims-outbox-connector",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql-main",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "changeme",
    "database.server.id": "184077",
    "database.topic.prefix": "claims_cluster",
    "table.include.list": "claims.outbox_events",

    /* keys and values are Avro */
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://registry:8081",

    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "schema-changes.claims",
    "producer.enable.idempotence": "true",
    "producer.acks": "all",

    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.id.by.field": "id",
    "transforms.outbox.route.topic.replacement": "${routedByValue}-events"
  }
}' http://localhost:8083/connectors

# compatibility of the subject
curl -X PUT -H "Content-Type: application/json" \
  --data '{"compatibility": "FULL"}' \
  http://localhost:8081/config/claim-events-value
