# rejestracja konektora (avro przez apicurio)
curl -sS -X POST http://localhost:8083/connectors \
  -H 'Content-Type: application/json' -d '{
    "name": "przesylki-outbox",
    "config": {
       "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
          "plugin.name": "pgoutput",
          "database.hostname": "pg",
          "database.port": "5432",
          "database.user": "postgres",
          "database.password": "HASLO",
          "database.dbname": "przesylki",
          "topic.prefix": "srv",

          "schema.include.list": "przesylki",
          "table.include.list": "przesylki.outbox_event",
          "slot.name": "przesylki_outbox_slot",
          "publication.autocreate.mode": "filtered",
          "snapshot.mode": "initial",

          "transforms": "outbox,setUtworzona,setZwrot,jedenTemat",
          "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
          "transforms.outbox.route.by.field": "event_type",
          "transforms.outbox.route.topic.regex": "(.*)",
          "transforms.outbox.route.topic.replacement": "srv-$1",

          "transforms.outbox.table.field.event.key": "aggregate_id",
          "transforms.outbox.table.field.payload": "payload",
          "transforms.outbox.table.field.timestamp": "created_at",
          "transforms.outbox.table.expand.json.payload": "true",
          "transforms.outbox.table.fields.additional.placement": "event_type:header,headers:header",

          "transforms.setUtworzona.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
          "transforms.setUtworzona.predicate": "czyUtworzona",
          "transforms.setUtworzona.schema.name": "pl.example.przesylki.PrzesylkaUtworzona",
          "transforms.setZwrot.type": "org.apache.kafka.connect.transforms.SetSchemaMetadata$Value",
          "transforms.setZwrot.predicate": "czyZwrot",
          "transforms.setZwrot.schema.name": "pl.example.przesylki.ZwrotRozpoczety",

          "predicates": "czyUtworzona,czyZwrot",
          "predicates.czyUtworzona.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.czyUtworzona.pattern": ".*-PrzesylkaUtworzona$",
          "predicates.czyZwrot.type": "org.apache.kafka.connect.transforms.predicates.TopicNameMatches",
          "predicates.czyZwrot.pattern": ".*-ZwrotRozpoczety$",

          "transforms.jedenTemat.type": "org.apache.kafka.connect.transforms.RegexRouter",
          "transforms.jedenTemat.regex": "^srv-.*$",
          "transforms.jedenTemat.replacement": "przesylki-zdarzenia",

          "key.converter": "org.apache.kafka.connect.storage.StringConverter",
          "value.converter": "io.apicurio.registry.utils.converter.AvroConverter",
          "value.converter.apicurio.registry.url": "http://apicurio:8080/apis/registry/v2",
          "value.converter.apicurio.registry.artifact.group-id": "przesylki",
          "value.converter.apicurio.registry.use-id": "globalId"
    }
  }'
