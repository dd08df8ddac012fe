curl -sS -X POST http://localhost:8083/connectors \
  -H 'Content-Type: application/json' -d '{
    "name": "pg-kurier-outbox",
    "config": {
       "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
          "plugin.name": "pgoutput",
          "database.hostname": "pg_kurier",
          "database.port": "5432",
          "database.user": "postgres",
          "database.password": "WPISZ_HASLO",
          "database.dbname": "delivery",
          "topic.prefix": "node1",

          "schema.include.list": "delivery",
          "table.include.list": "delivery.outbox_message",
          "slot.name": "delivery_outbox_slot",
          "publication.autocreate.mode": "filtered",
          "snapshot.mode": "initial",

          "transforms": "outbox,nameAccepted,nameReturned,toOneTopic",
          "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
          "transforms.outbox.route.by.field": "event_type",
          "transforms.outbox.route.topic.regex": "(.*)",
          "transforms.outbox.route.topic.replacement": "node1-$1",

          "transforms.outbox.table.field.event.key": "aggregate_id",
          "transforms.outbox.table.field.payload": "payload",
          "transforms.outbox.table.field.timestamp": "created_at",
          "transforms.outbox.table.expand.json.payload": "true",
          "transforms.outbox.table.fields.additional.placement": "event_type:header,meta:header",

          "transforms.nameAccepted.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
          "transforms.nameAccepted.predicate": "isAccepted",
          "transforms.nameAccepted.schema.name": "pl.kurier.delivery.ParcelAccepted",
          "transforms.nameReturned.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
          "transforms.nameReturned.predicate": "isReturned",
          "transforms.nameReturned.schema.name": "pl.kurier.delivery.ParcelReturned",

          "predicates": "isAccepted,isReturned",
          "predicates.isAccepted.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.isAccepted.pattern": ".*-ParcelAccepted$",
          "predicates.isReturned.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.isReturned.pattern": ".*-ParcelReturned$",

          "transforms.toOneTopic.type": "org.apache.kafka.connect.transforms.RegexRouter",
          "transforms.toOneTopic.regex": "^node1-.*$",
          "transforms.toOneTopic.replacement": "delivery-events",

          "key.converter": "org.apache.kafka.connect.storage.StringConverter",
          "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
          "value.converter.apicurio.registry.url": "http://registry:8080/apis/registry/v2",
          "value.converter.apicurio.registry.artifact.strategy": "io.apicurio.registry.utils.serde.strategy.TopicRecordIdStrategy",
          "value.converter.apicurio.registry.artifact.resolver.strategy": "io.apicurio.registry.utils.serde.strategy.TopicRecordIdStrategy",
          "value.converter.apicurio.registry.artifact.group-id": "delivery",
          "value.converter.apicurio.registry.use.headers": "true",
          "value.converter.apicurio.registry.use-id": "globalId"
    }
  }'
