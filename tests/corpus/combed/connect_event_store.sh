#!/bin/bash
# the projections read the rows of the event store; key by aggregate_id, or the order within an aggregate is lost
curl -X POST http://cdc:8083/connectors -H "Content-Type: application/json" -d '{
"name": "ledger-cqrs",
"config": {
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "admin",
  "database.password": "admin",
  "database.dbname": "ledger",
  "database.server.name": "postgres",
  "table.include.list": "public.event_store",
  "plugin.name": "pgoutput",
  "slot.name": "ledger_cqrs_slot",
  "publication.name": "ledger_cqrs_pub",
  "topic.prefix": "cdc",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "key.converter.schemas.enable": "false",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",

  "transforms": "unwrap",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.unwrap.drop.tombstones": "true",
  "transforms.unwrap.key.field": "aggregate_id",

  "decimal.handling.mode": "double",
  "database.history.kafka.bootstrap.servers": "kafka:9092",
  "database.history.kafka.topic": "schema-changes.ledger"
  }
}
'
