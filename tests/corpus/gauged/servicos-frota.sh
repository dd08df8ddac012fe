#!/usr/bin/env bash
# Um conector por serviço da frota; o tópico vem da coluna "topic".
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

cadastrar() {
  local svc="$1" base="$2" login="$3" chave="$4"

  echo "outbox-${svc}"
  curl -sS -X PUT "${CONNECT_URL}/connectors/outbox-${svc}/config" \
    -H 'Content-Type: application/json' \
    -d "{
      \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
      \"database.hostname\": \"postgres\",
      \"database.port\": \"5432\",
      \"database.user\": \"${login}\",
      \"database.password\": \"${chave}\",
      \"database.dbname\": \"${base}\",
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

cadastrar corridas  corridas  corridas  corridas
cadastrar oficina   oficina   oficina   oficina
cadastrar seguros   seguros   seguros   seguros

curl -sS "${CONNECT_URL}/connectors?expand=status" | head -c 2000
