# the two sides of the check: transfers and verdicts
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
  "name": "transfers",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "pg",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "transfers",
    "database.server.name": "localhost",
    "tombstones.on.delete": "false",
    "table.include.list": "public.outbox",
    "slot.name": "transfers_slot",
    "skipped.operations": "u,d,t",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "event_name",
    "transforms.outbox.route.topic.replacement": "${routedByValue}.OUT",
    "transforms.outbox.table.expand.json.payload": "true",
    "value.converter": "io.debezium.converters.ByteBufferConverter",
    "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.delegate.converter.type.schemas.enable": "false"
  }
}'

curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" localhost:8083/connectors/ -d '{
  "name": "verdicts",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "pg",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "verdicts",
    "database.server.name": "localhost",
    "tombstones.on.delete": "false",
    "table.include.list": "public.outbox",
    "slot.name": "verdicts_slot",
    "skipped.operations": "u,d,t",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "event_name",
    "transforms.outbox.route.topic.replacement": "${routedByValue}.OUT",
    "transforms.outbox.table.expand.json.payload": "true",
    "value.converter": "io.debezium.converters.ByteBufferConverter",
    "value.converter.delegate.converter.type": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.delegate.converter.type.schemas.enable": "false"
  }
}'
