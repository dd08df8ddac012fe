curl -sS -X POST http://localhost:8083/connectors \
  -H 'Content-Type: application/json' -d '{
    "name": "pg-loan-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "plugin.name": "pgoutput",

      "database.hostname": "postgres_db",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "YOUR_PASSWORD",
      "database.dbname": "loans",

      "topic.prefix": "server1",

      "schema.include.list": "loans",
      "table.include.list": "loans.outbox_event",
      "slot.name": "loans_outbox_slot",
      "publication.autocreate.mode": "filtered",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.route.by.field": "aggregate_type",
      "transforms.outbox.route.topic.regex": "(?<r>.*)",
      "transforms.outbox.route.topic.replacement": "${r}-events",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.payload": "payload",
      "transforms.outbox.table.field.timestamp": "created_at",
      "transforms.outbox.table.fields.additional.placement": "event_type:header,headers:header"
      "transforms.outbox.table.expand.json.payload": "true",

      "snapshot.mode": "initial"
    }
  }'
