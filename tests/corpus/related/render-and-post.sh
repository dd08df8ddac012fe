#!/usr/bin/env bash
set -euo pipefail
: "${LOYALTY_DB_HOST:?}" "${LOYALTY_DB_PASSWORD:?}"

template=$(mktemp)
trap 'rm -f "$template"' EXIT

cat >"$template" <<'TEMPLATE'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${LOYALTY_DB_HOST}",
  "database.user": "loyalty_cdc",
  "database.password": "${LOYALTY_DB_PASSWORD}",
  "database.dbname": "loyalty",
  "topic.prefix": "loyalty",
  "plugin.name": "pgoutput",
  "slot.name": "loyalty_outbox",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox_message",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.key": "member_id",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "loyalty-${routedByValue}"
}
TEMPLATE

# only these two, the router needs its own placeholder
envsubst '${LOYALTY_DB_HOST} ${LOYALTY_DB_PASSWORD}' <"$template" |
  curl --fail -sS -X PUT -H 'Content-Type: application/json' --data-binary @- \
    "${CONNECT_URL:-http://connect:8083}/connectors/loyalty-outbox/config"
