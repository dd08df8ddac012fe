#!/usr/bin/env bash
# Applies the outbox connector of one service; the service is the only argument.
set -euo pipefail

: "${CONNECT_URL:?}" "${BROKERS:?}" "${DB_HOST:?}" "${DB_USER:?}" "${DB_PASSWORD:?}"

case "${1:-}" in
    catalog)
        DB_NAME=catalog; SERVER_ID=610; PREFIX=catalog-cdc ;;
    lending)
        DB_NAME=lending; SERVER_ID=620; PREFIX=lending-cdc ;;
    *)
        echo "usage: $0 catalog|lending" >&2
        exit 1
        ;;
esac
NAME="${1}-outbox"

cat <<EOF >/tmp/connector.json
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "${DB_HOST}",
  "database.port": "${DB_PORT:-3306}",
  "database.user": "${DB_USER}",
  "database.password": "${DB_PASSWORD}",
  "database.server.id": "${SERVER_ID}",
  "topic.prefix": "${PREFIX}",
  "database.include.list": "${DB_NAME}",
  "table.include.list": "${DB_NAME}.outbox",
  "include.schema.changes": "false",
  "snapshot.mode": "when_needed",
  "tombstones.on.delete": "false",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.json.JsonConverter",
  "value.converter.schemas.enable": "false",
  "schema.history.internal.kafka.bootstrap.servers": "${BROKERS}",
  "schema.history.internal.kafka.topic": "${PREFIX}.history",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "kind",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.field.event.key": "subject_id",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.table.expand.json.payload": "true",
  "transforms.outbox.table.field.event.id": "id",
  "transforms.outbox.table.fields.additional.placement": "kind:header:kind,subject_id:header:subjectId,written_at:header:writtenAt"
}
EOF

# A connector that is there is stopped first; stop answers 404 also if this Connect has no such endpoint, so
# look first whether there is one.
code="$(curl -sS -o /tmp/probe.json -w '%{http_code}' "${CONNECT_URL}/connectors/${NAME}/status")"
case "${code}" in
    200) curl -sS --fail -X PUT "${CONNECT_URL}/connectors/${NAME}/stop" ;;
    404) ;;
    *) echo "Connect answered ${code}" >&2; exit 1 ;;
esac

curl -sS --fail -X PUT -H 'Content-Type: application/json' \
    --data @/tmp/connector.json "${CONNECT_URL}/connectors/${NAME}/config"
curl -sS -X PUT "${CONNECT_URL}/connectors/${NAME}/resume"
