#!/usr/bin/env bash
# Registers the outbox connector of the toll system once Kafka Connect answers.
set -euo pipefail

CONNECT_URL="http://localhost:8083"

until curl -sf "${CONNECT_URL}/connectors" > /dev/null 2>&1; do
    echo "  Connect is not ready, again in 5s"
    sleep 5
done

curl -sf -X POST "${CONNECT_URL}/connectors" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "toll-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "toll-pg",
      "database.port": "5432",
      "database.user": "toll",
      "database.password": "toll",
      "database.dbname": "toll",
      "database.server.name": "toll",
      "topic.prefix": "toll",

      "plugin.name": "pgoutput",
      "publication.autocreate.mode": "filtered",

      "table.include.list": "public.passage_outbox",
      "slot.name": "toll_outbox_slot",

      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "vehicle_id",
      "transforms.outbox.table.field.event.type": "event_type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.table.fields.additional.placement": "lane:header,tenant_id:header,created_at:header",
      "transforms.outbox.route.topic.replacement": "toll.${routedByValue}",
      "transforms.outbox.route.by.field": "routing_key",

      "key.converter": "org.apache.kafka.connect.storage.StringConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter.schemas.enable": false,

      "tombstones.on.delete": false,
      "heartbeat.interval.ms": "10000",

      "errors.tolerance": "all",
      "errors.deadletterqueue.topic.name": "toll.dlq.outbox",
      "errors.deadletterqueue.context.headers.enable": true,
      "errors.log.enable": true
    }
  }'

echo
curl -sf "${CONNECT_URL}/connectors/toll-outbox/status"
