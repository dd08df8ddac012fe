#!/bin/sh
# Outbox of the dosing service, payload = protobuf in a bytea column
set -eu
: "${CONNECT_URL:=http://localhost:8083}"
: "${DB_PASSWORD:?}"

config=$(mktemp)
trap 'rm -f "$config"' EXIT
cat > "$config" <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "dosing-db",
  "database.port": "5432",
  "database.user": "dosing_relay",
  "database.password": "$DB_PASSWORD",
  "database.dbname": "dosing",
  "topic.prefix": "dosing",
  "plugin.name": "pgoutput",
  "slot.name": "dosing_relay",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox",
  "heartbeat.interval.ms": "30000",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "dosing.\${routedByValue}.v1",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "io.debezium.converters.BinaryDataConverter"
}
EOF

curl -sS --fail-with-body -X PUT -H 'Content-Type: application/json' \
  --data-binary @"$config" "$CONNECT_URL/connectors/dosing-relay/config"
