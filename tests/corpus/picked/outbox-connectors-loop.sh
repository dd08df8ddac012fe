#!/usr/bin/env bash
# Cria um conector de outbox por microsservico (um banco por servico).
set -euo pipefail

CONNECT=${CONNECT:-http://localhost:8083}

for servico in pedidos estoque entrega; do
  curl -fsS -X PUT "$CONNECT/connectors/${servico}-outbox/config" \
    -H 'Content-Type: application/json' \
    -d "{
      \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
      \"tasks.max\": \"1\",
      \"plugin.name\": \"pgoutput\",
      \"database.hostname\": \"${servico}-db\",
      \"database.port\": \"5432\",
      \"database.user\": \"${PG_USER}\",
      \"database.password\": \"${PG_PASSWORD}\",
      \"database.dbname\": \"${servico}\",
      \"topic.prefix\": \"${servico}\",
      \"slot.name\": \"${servico}_outbox\",
      \"publication.name\": \"${servico}_outbox_pub\",
      \"publication.autocreate.mode\": \"filtered\",
      \"table.include.list\": \"public.outbox\",
      \"tombstones.on.delete\": \"false\",
      \"transforms\": \"outbox\",
      \"transforms.outbox.type\": \"io.debezium.transforms.outbox.EventRouter\",
      \"transforms.outbox.table.field.event.key\": \"aggregate_id\",
      \"transforms.outbox.route.by.field\": \"aggregate_type\",
      \"transforms.outbox.route.topic.replacement\": \"${servico}.\${routedByValue}\",
      \"transforms.outbox.table.expand.json.payload\": \"true\",
      \"key.converter\": \"org.apache.kafka.connect.storage.StringConverter\",
      \"value.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
      \"value.converter.schemas.enable\": \"false\"
    }" > /dev/null
  echo "ok: ${servico}"
done

curl -s "$CONNECT/connectors" | jq .
