#!/usr/bin/env bash
# One outbox connector per service. The topic name is taken from the row itself,
# so a service can choose its topic without touching this script.
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

add_connector() {
  local svc="$1" db="$2" user="$3" pass="$4"

  echo "Adding outbox-${svc} ..."
  curl -sS -X PUT "${CONNECT_URL}/connectors/outbox-${svc}/config" \
    -H 'Content-Type: application/json' \
    -d "{
      \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
      \"database.hostname\": \"postgres\",
      \"database.port\": \"5432\",
      \"database.user\": \"${user}\",
      \"database.password\": \"${pass}\",
      \"database.dbname\": \"${db}\",
      \"topic.prefix\": \"${svc}\",
      \"plugin.name\": \"pgoutput\",
      \"slot.name\": \"outbox_${svc}\",
      \"publication.name\": \"outbox_${svc}_pub\",
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

add_connector tours     tours     tours     tours
add_connector tickets   tickets   tickets   tickets
add_connector guides    guides    guides    guides

echo "Done. Status:"
curl -sS "${CONNECT_URL}/connectors?expand=status" | head -c 2000
echo
