curl -sS -X POST http://localhost:8083/connectors \
  -H 'Content-Type: application/json' -d '{
    "name": "kennel-outbox",
    "config": {
          "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
          "plugin.name": "pgoutput",
          "database.hostname": "pg",
          "database.port": "5432",
          "database.user": "postgres",
          "database.password": "changeme",
          "database.dbname": "kennel",
          "topic.prefix": "hub1",

          "schema.include.list": "kennel",
          "table.include.list": "kennel.outbox_event",
          "slot.name": "kennel_outbox_slot",
          "publication.autocreate.mode": "filtered",
          "snapshot.mode": "initial",

          "transforms": "outbox,asAdopted,asReturned,oneTopic",
          "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
          "transforms.outbox.route.by.field": "event_type",
          "transforms.outbox.route.topic.regex": "(.*)",
          "transforms.outbox.route.topic.replacement": "hub1-$1",

          "transforms.outbox.table.field.event.key": "dog_id",
          "transforms.outbox.table.field.payload": "payload",
          "transforms.outbox.table.field.timestamp": "created_at",
          "transforms.outbox.table.expand.json.payload": "true",
          "transforms.outbox.table.fields.additional.placement": "event_type:header,headers:header",

          "transforms.asAdopted.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
          "transforms.asAdopted.predicate": "isAdopted",
          "transforms.asAdopted.schema.name": "org.example.kennel.DogAdopted",
          "transforms.asReturned.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
          "transforms.asReturned.predicate": "isReturned",
          "transforms.asReturned.schema.name": "org.example.kennel.DogReturned",

          "predicates": "isAdopted,isReturned",
          "predicates.isAdopted.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.isAdopted.pattern": ".*-DogAdopted$",
          "predicates.isReturned.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.isReturned.pattern": ".*-DogReturned$",

          "transforms.oneTopic.type": "org.apache.kafka.connect.transforms.RegexRouter",
          "transforms.oneTopic.regex": "^hub1-.*$",
          "transforms.oneTopic.replacement": "kennel-events",

          "key.converter": "org.apache.kafka.connect.storage.StringConverter",
          "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
          "value.converter.apicurio.registry.url": "http://apicurio:8080/apis/registry/v2",
          "value.converter.apicurio.registry.auto-register": "true",
          "value.converter.apicurio.registry.artifact.group-id": "kennel"
    }
  }'
