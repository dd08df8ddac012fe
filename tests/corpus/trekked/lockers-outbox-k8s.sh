# run from a shell with port-forward svc/connect 8083
curl -sS -X POST http://localhost:8083/connectors \
  -H 'Content-Type: application/json' \
  -d '{
    "name": "lockers-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "plugin.name": "pgoutput",

      "database.hostname": "lockers-pg",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "YOUR_PASS",
      "database.dbname": "lockers",

      "topic.prefix": "lk",

      "schema.include.list": "lockers",
      "table.include.list": "lockers.outgoing_event",

      "slot.name": "lockers_outgoing_slot",
      "publication.autocreate.mode": "filtered",
      "snapshot.mode": "initial",

      "transforms": "outbox,nameDropped,nameCollected,single",

      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "event_name",
      "transforms.outbox.route.topic.regex": "(.*)",
      "transforms.outbox.route.topic.replacement": "lk-$1",

      "transforms.outbox.table.field.event.key": "parcel_id",
      "transforms.outbox.table.field.payload": "payload",
      "transforms.outbox.table.field.timestamp": "occurred_at",
      "transforms.outbox.table.expand.json.payload": "true",
      "transforms.outbox.table.fields.additional.placement": "event_name:header,meta:header",

      "transforms.nameDropped.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
      "transforms.nameDropped.predicate": "dropped",
      "transforms.nameDropped.schema.name": "org.example.lockers.ParcelDropped",

      "transforms.nameCollected.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
      "transforms.nameCollected.predicate": "collected",
      "transforms.nameCollected.schema.name": "org.example.lockers.ParcelCollected",

      "predicates": "dropped,collected",
      "predicates.dropped.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
      "predicates.dropped.pattern": ".*-ParcelDropped$",
      "predicates.collected.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
      "predicates.collected.pattern": ".*-ParcelCollected$",

      "transforms.single.type": "org.apache.kafka.connect.transforms.RegexRouter",
      "transforms.single.regex": "^lk-.*$",
      "transforms.single.replacement": "locker-events",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
      "value.converter.apicurio.registry.url": "http://registry:8080/apis/registry/v2",
      "value.converter.apicurio.registry.converter.serializer": "io.apicurio.registry.serde.avro.AvroKafkaSerializer",
      "value.converter.apicurio.registry.artifact-resolver-strategy": "io.apicurio.registry.serde.avro.strategy.RecordIdStrategy",
      "value.converter.apicurio.registry.use-id": "globalId",
      "value.converter.apicurio.registry.auto-register": "true"
    }
  }' | jq .
