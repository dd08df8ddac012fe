#!/bin/bash
# Two relays of the same database, each with its own outbox tables. Every event goes out once.
put() { curl -fsS -X PUT -H 'Content-Type: application/json' -d @- "$CONNECT_URL/connectors/$1/config"; }

put market-outbox <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "market-db", "database.port": "5432",
  "database.user": "${env:MARKET_USER}", "database.password": "${env:MARKET_PASSWORD}",
  "database.dbname": "market",
  "topic.prefix": "market-a", "poll.interval.ms": "100",
  "plugin.name": "pgoutput", "slot.name": "market_a",
  "publication.name": "market_a", "publication.autocreate.mode": "filtered",
  "table.include.list": "market\\.outbox.*",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "market.${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "trace_id:header:traceparent",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON

put market-outbox-payments <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "market-db", "database.port": "5432",
  "database.user": "${env:MARKET_USER}", "database.password": "${env:MARKET_PASSWORD}",
  "database.dbname": "market",
  "topic.prefix": "market-b", "poll.interval.ms": "100",
  "plugin.name": "pgoutput", "slot.name": "market_b",
  "publication.name": "market_b", "publication.autocreate.mode": "filtered",
  "table.include.list": "market\\.outbox_payments",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "market.${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "trace_id:header:traceparent",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
