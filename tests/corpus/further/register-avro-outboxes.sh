#!/bin/sh
# One connector for each service that publishes. PUT makes or updates, so the job can run again.
set -eu
CONNECT="${CONNECT_URL:-http://kafka_connect:8083}"

until curl -sf "$CONNECT/connectors" >/dev/null; do
  echo "Kafka Connect does not answer yet"
  sleep 3
done

register() {
  service="$1"      # people | login | payroll | perks
  topic="$2"        # where the Avro events of this service go
  body=$(cat <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "postgres",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "${POSTGRES_PASSWORD}",
  "database.dbname": "workplace",
  "topic.prefix": "relay_${service}",
  "plugin.name": "pgoutput",
  "slot.name": "relay_${service}",
  "publication.name": "relay_${service}",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "${service}.outbox_messages",
  "tombstones.on.delete": "false",
  "snapshot.mode": "no_data",

  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter",

  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "Id",
  "transforms.outbox.table.field.event.key": "AggregateId",
  "transforms.outbox.table.field.event.payload": "AvroPayload",
  "transforms.outbox.table.fields.additional.placement": "Id:header:message-id,Type:header:message-type,OccurredAt:header:occurred-at",
  "transforms.outbox.route.by.field": "Type",
  "transforms.outbox.route.topic.regex": "(.*)",
  "transforms.outbox.route.topic.replacement": "${topic}",
  "transforms.outbox.table.expand.json.payload": "false"
}
JSON
)
  echo "relay-${service} -> ${topic}"
  curl -sf -X PUT -H "Content-Type: application/json" -d "$body" "$CONNECT/connectors/relay-${service}/config" >/dev/null \
    || { echo "relay-${service}: refused" >&2; exit 1; }
}

register people people.events.v2
register login login.events.v2
register payroll payroll.events.v2
register perks perks.events.v2
