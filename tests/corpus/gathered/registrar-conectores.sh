#!/usr/bin/env bash
# Um conector por banco que tem a tabela outbox. O nome do topico vem da linha,
# a chave e o id do agregado.
set -euo pipefail

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"

cadastrar() {
  local app="$1" banco="$2" login="$3" segredo="$4"

  echo "-> outbox-${app}"
  curl -sS -X PUT "${CONNECT_URL}/connectors/outbox-${app}/config" \
    -H 'Content-Type: application/json' \
    -d "{
      \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
      \"topic.prefix\": \"${app}\",
      \"database.hostname\": \"pg\",
      \"database.port\": \"5432\",
      \"database.dbname\": \"${banco}\",
      \"database.user\": \"${login}\",
      \"database.password\": \"${segredo}\",
      \"plugin.name\": \"pgoutput\",
      \"publication.name\": \"outbox_${app}_pub\",
      \"slot.name\": \"outbox_${app}\",
      \"table.include.list\": \"public.outbox\",
      \"tombstones.on.delete\": \"false\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"transforms\": \"outbox\",
      \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.outbox.table.field.event.id\": \"id\",
      \"transforms.outbox.table.field.event.key\": \"aggregateid\",
      \"transforms.outbox.table.field.event.payload\": \"payload\",
      \"transforms.outbox.table.fields.additional.placement\": \"type:header:eventType\",
      \"transforms.outbox.route.by.field\": \"topic\",
      \"transforms.outbox.route.topic.replacement\": \"\\\${routedByValue}\"
    }"
  echo
}

cadastrar estoque  "${ESTOQUE_DB}"  "${ESTOQUE_USER}"  "${ESTOQUE_PASS}"
cadastrar pedidos  "${PEDIDOS_DB}"  "${PEDIDOS_USER}"  "${PEDIDOS_PASS}"
cadastrar faturas  "${FATURAS_DB}"  "${FATURAS_USER}"  "${FATURAS_PASS}"

curl -sS "${CONNECT_URL}/connectors?expand=status" | head -c 1500
echo
