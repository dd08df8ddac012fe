#!/usr/bin/env bash
# Registers one outbox connector per service. The column topic names the topic, so that nothing has to be
# configured here when a service gets a new one.
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

register() {
  local service="$1" database="$2" user="$3" password="$4"

  echo "registering outbox-${service}"
  curl -sS -X PUT "${CONNECT_URL}/connectors/outbox-${service}/config" \
    -H 'Content-Type: application/json' \
    -d "{
      \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
      \"database.hostname\": \"postgres\",
      \"database.port\": \"5432\",
      \"database.user\": \"${user}\",
      \"database.password\": \"${password}\",
      \"database.dbname\": \"${database}\",
      \"topic.prefix\": \"${service}\",
      \"plugin.name\": \"pgoutput\",
      \"slot.name\": \"outbox_${service}\",
      \"publication.name\": \"outbox_${service}_pub\",
      \"table.include.list\": \"public.outbox\",
      \"tombstones.on.delete\": \"false\",
      \"transforms\": \"outbox\",
      \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.outbox.table.field.event.id\": \"id\",
      \"transforms.outbox.table.field.event.key\": \"aggregateid\",
      \"transforms.outbox.table.field.event.payload\": \"payload\",
      \"transforms.outbox.route.by.field\": \"topic\",
      \"transforms.outbox.route.topic.replacement\": \"\\\${routedByValue}\",
      \"transforms.outbox.table.fields.additional.placement\": \"type:header:eventType\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.storage.StringConverter\"
    }"
  echo
}

register menu     menu     menu     menu
register kitchen  kitchen  kitchen  kitchen
register delivery delivery delivery delivery

curl -sS "${CONNECT_URL}/connectors?expand=status" | head -c 2000
echo
