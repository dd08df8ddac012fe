#!/bin/sh
set -eu
apk add --no-cache curl gettext

# the template keeps passwords out of the image, values come from the container environment
cat > /tmp/rental-outbox.tpl.json <<'TEMPLATE'
{
  "name": "rental-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "${RENTAL_DB_HOST}",
    "database.port": "${RENTAL_DB_PORT}",
    "database.user": "${RENTAL_DB_USER}",
    "database.password": "${RENTAL_DB_PASSWORD}",
    "database.dbname": "${RENTAL_DB_NAME}",
    "topic.prefix": "rental",
    "plugin.name": "pgoutput",
    "slot.name": "rental_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.outbox.route.topic.replacement": "rental.events.${routedByValue}",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.expand.json.payload": "true",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}
TEMPLATE

envsubst < /tmp/rental-outbox.tpl.json > /tmp/rental-outbox.json

code=$(curl -s -o /tmp/answer.txt -w "%{http_code}" \
  -X POST -H "Content-Type: application/json" \
  --data @/tmp/rental-outbox.json \
  http://debezium:8083/connectors)

case "$code" in
  201) echo "created" ;;
  409) echo "was there before" ;;
  *) echo "HTTP $code"; cat /tmp/answer.txt; exit 1 ;;
esac
