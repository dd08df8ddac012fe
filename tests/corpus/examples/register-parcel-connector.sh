curl -X PUT 'http://localhost:8083/connectors/parcel-outbox/config' \
-H 'Content-Type: application/json' \
-d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "parcel-db",
    "database.port": "5432",
    "database.dbname" : "parcels",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.server.name": "parcel-postgres-server",
    "schema.include.list": "public",
    "table.include.list" : "public.parcel_event",
    "tombstones.on.delete" : "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms" : "outbox",
    "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key":  "parcel_id",
    "transforms.outbox.table.field.event.payload.id": "parcel_id",
    "transforms.outbox.route.by.field" : "target_topic",
    "transforms.outbox.route.topic.replacement" : "${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "type:header:messageType,trace_id:header:b3"
  }'
