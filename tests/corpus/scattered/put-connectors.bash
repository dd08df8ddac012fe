#!/bin/bash
# PUT is idempotent: the script may run at every start of the stack.
set -euo pipefail
CONNECT_URL=${CONNECT_URL:-http://connect:8083}
TRACE_PLACEMENT="trace_b3:header:b3"

until curl -fs "$CONNECT_URL/connectors" >/dev/null; do sleep 2; done

curl -fsS -X PUT "$CONNECT_URL/connectors/garage-outbox/config" -H 'Content-Type: application/json' -d @- <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "garage-db", "database.port": "5432",
  "database.user": "$PG_USER", "database.password": "$PG_PASSWORD", "database.dbname": "garage",
  "topic.prefix": "garage", "plugin.name": "pgoutput",
  "slot.name": "garage_outbox", "publication.name": "garage_outbox",
  "publication.autocreate.mode": "filtered", "table.include.list": "public.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "garage.\${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "$TRACE_PLACEMENT,type:header:eventType",
  "transforms.outbox.table.expand.json.payload": "true",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
EOF

curl -fsS -X PUT "$CONNECT_URL/connectors/spares-outbox/config" -H 'Content-Type: application/json' -d @- <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "spares-db", "database.port": "5432",
  "database.user": "$PG_USER", "database.password": "$PG_PASSWORD", "database.dbname": "spares",
  "topic.prefix": "spares", "plugin.name": "pgoutput",
  "slot.name": "spares_outbox", "publication.name": "spares_outbox",
  "publication.autocreate.mode": "filtered", "table.include.list": "public.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "spares.\${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "$TRACE_PLACEMENT,type:header:eventType",
  "transforms.outbox.table.expand.json.payload": "true",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false"
}
EOF

# the change feed of the price list is no outbox: whole envelopes
curl -fsS -X PUT "$CONNECT_URL/connectors/spares-prices/config" -H 'Content-Type: application/json' -d @- <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "spares-db", "database.port": "5432",
  "database.user": "$PG_USER", "database.password": "$PG_PASSWORD", "database.dbname": "spares",
  "topic.prefix": "spares-cdc", "plugin.name": "pgoutput",
  "slot.name": "spares_prices", "publication.name": "spares_prices",
  "publication.autocreate.mode": "filtered", "table.include.list": "public.price",
  "key.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter"
}
EOF
