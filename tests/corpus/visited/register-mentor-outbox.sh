#!/bin/sh

set -e

CONNECT_BASE="http://${CONNECT_HOST:-connect}:${CONNECT_PORT:-8083}"

echo "Polling Kafka Connect at ${CONNECT_BASE} ..."

while true; do
  code=$(curl -s -o /dev/null -w "%{http_code}" "${CONNECT_BASE}/connectors" || true)
  if [ "$code" = "200" ]; then
    echo "Connect answers."
    break
  fi
  echo "Got HTTP $code, next try in 3 s"
  sleep 3
done

echo "Creating the mentor outbox connector"

BODY=$(cat <<EOF
{
  "name": "mentor-postgres-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "plugin.name": "pgoutput",
    "database.hostname": "${PG_HOST:-pg}",
    "database.port": "${PG_PORT:-5432}",
    "database.user": "${PG_USER}",
    "database.password": "${PG_PASSWORD}",
    "database.dbname": "${PG_DATABASE}",
    "database.server.name": "mentor_pg",
    "topic.prefix": "mentor_cdc",
    "table.include.list": "public.outbox_events",
    "tombstones.on.delete": "false",
    "publication.autocreate.mode": "all_tables",
    "slot.name": "dbz_mentor_outbox_slot",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "mentor.requests",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType"
  }
}
EOF
)

ANSWER=$(curl -s -X POST \
  -H "Content-Type: application/json" \
  --data "${BODY}" \
  "${CONNECT_BASE}/connectors")

echo "Connect said: $ANSWER"

curl -s "${CONNECT_BASE}/connectors/mentor-postgres-outbox/status"
echo ""
echo "Finished."
