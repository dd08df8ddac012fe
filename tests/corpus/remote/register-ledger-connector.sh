#!/bin/bash
# ============================================================================
# Creates the outbox connector — milestone 3.1
#
# Debezium takes over from the relay that polled the outbox table.
#
# Call:
#   ./deploy/cdc/register-ledger-connector.sh
#
# Needs:
#   - Kafka Connect on http://localhost:8083
#   - the LedgerBox database on ledgerbox-db:5432
#   - wal_level = logical (see docker-compose.yml)
# ============================================================================

set -euo pipefail

REST_URL="http://localhost:8083"

echo "=== Kafka Connect ==="
until curl -sf "${REST_URL}/connectors" > /dev/null 2>&1; do
    echo "  no answer, trying again in 5s..."
    sleep 5
done
echo "  answers."

echo ""
echo "=== Creating the connector ==="

curl -sf -X POST "${REST_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "ledgerbox-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "ledgerbox-db",
      "database.port": "5432",
      "database.user": "ledgerbox",
      "database.password": "ledgerbox_dev",
      "database.dbname": "ledgerbox",
      "database.server.name": "ledgerbox",
      "topic.prefix": "ledgerbox",

      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",

      "table.include.list": "public.message_outbox",
      "slot.name": "ledgerbox_outbox_slot",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregate_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.fields.additional.placement": "aggregate_type:header,merchant_id:header,created_at:header",
      "transforms.outbox.route.topic.replacement": "ledgerbox.${routedByValue}",
      "transforms.outbox.route.by.field": "route_key",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false,

      "tombstones.on.delete": false,
      "heartbeat.interval.ms": "10000",

      "errors.tolerance": "all",
      "errors.deadletterqueue.topic.name": "ledgerbox.cdc.dlq",
      "errors.deadletterqueue.context.headers.enable": true
    }
  }' | python3 -m json.tool 2>/dev/null || echo "(created)"

echo ""
echo "=== State ==="
curl -sf "${REST_URL}/connectors/ledgerbox-outbox-connector/status" | python3 -m json.tool 2>/dev/null || echo "  see ${REST_URL}/connectors/ledgerbox-outbox-connector/status"

echo ""
echo "=== Finished ==="
echo "  Rows of message_outbox are now published to the ledgerbox.* topics."
