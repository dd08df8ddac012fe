# Two event types, one topic, one Avro record name each.
# Record timestamp = created_at of the row (the dashboards compute the age of a parcel's event from it).
curl -sS -X POST http://localhost:8083/connectors \
  -H 'Content-Type: application/json' -d '{
    "name": "parcels-outbox",
    "config": {
       "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
       "plugin.name": "pgoutput",
       "database.hostname": "parcels_db",
       "database.port": "5432",
       "database.user": "postgres",
       "database.password": "YOUR_PASSWORD",
       "database.dbname": "parcels",
       "topic.prefix": "dep1",

       "schema.include.list": "parcels",
       "table.include.list": "parcels.outbox_event",
       "slot.name": "parcels_outbox_slot",
       "publication.autocreate.mode": "filtered",
       "snapshot.mode": "initial",

       "transforms": "outbox,nameDispatched,nameReturned,single",
       "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
       "transforms.outbox.route.by.field": "event_type",
       "transforms.outbox.route.topic.regex": "(.*)",
       "transforms.outbox.route.topic.replacement": "dep1-$1",
       "transforms.outbox.table.field.event.key": "aggregate_id",
       "transforms.outbox.table.field.payload": "payload",
       "transforms.outbox.table.field.timestamp": "created_at",
       "transforms.outbox.table.expand.json.payload": "true",
       "transforms.outbox.table.fields.additional.placement": "event_type:header,headers:header",

       "transforms.nameDispatched.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
       "transforms.nameDispatched.predicate": "isDispatched",
       "transforms.nameDispatched.schema.name": "org.example.parcels.ParcelDispatched",
       "transforms.nameReturned.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
       "transforms.nameReturned.predicate": "isReturned",
       "transforms.nameReturned.schema.name": "org.example.parcels.ParcelReturned",

       "predicates": "isDispatched,isReturned",
       "predicates.isDispatched.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
       "predicates.isDispatched.pattern": ".*-ParcelDispatched$",
       "predicates.isReturned.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
       "predicates.isReturned.pattern": ".*-ParcelReturned$",

       "transforms.single.type": "org.apache.kafka.connect.transforms.RegexRouter",
       "transforms.single.regex": "^dep1-.*$",
       "transforms.single.replacement": "parcel-events",

       "key.converter": "org.apache.kafka.connect.storage.StringConverter",
       "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
       "value.converter.apicurio.registry.url": "http://registry:8080/apis/registry/v2",
       "value.converter.apicurio.registry.artifact.group-id": "parcels"
    }
  }'
