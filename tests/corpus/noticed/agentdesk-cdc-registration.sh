#!/usr/bin/env bash
# AgentDesk: registers the CDC connectors of both back ends

set -euo pipefail

CONNECT_HOST="${CONNECT_HOST:-localhost}"
CONNECT_PORT="${CONNECT_PORT:-8083}"
CONNECT_BASE="http://${CONNECT_HOST}:${CONNECT_PORT}"

# database 1 (portal)
PORTAL_DB_HOST="${PORTAL_DB_HOST:-portal_db}"
PORTAL_DB_PORT="${PORTAL_DB_PORT:-5432}"
PORTAL_DB_NAME="${PORTAL_DB_NAME:-agentdesk_db}"
PORTAL_DB_USER="${PORTAL_DB_USER:-agentdesk}"
PORTAL_DB_PASSWORD="${PORTAL_DB_PASSWORD:-agentdesk}"

# database 2 (inference)
INFER_DB_HOST="${INFER_DB_HOST:-infer_db}"
INFER_DB_PORT="${INFER_DB_PORT:-5432}"
INFER_DB_NAME="${INFER_DB_NAME:-agentdesk_infer_db}"
INFER_DB_USER="${INFER_DB_USER:-agentdesk_infer}"
INFER_DB_PASSWORD="${INFER_DB_PASSWORD:-agentdesk_infer}"

put_connector() {
    local name="$1"
    local config="$2"
    local status

    status=$(curl -s -o /tmp/reply.json -w '%{http_code}' \
        -X PUT \
        -H "Content-Type: application/json" \
        --data "${config}" \
        "${CONNECT_BASE}/connectors/${name}/config")

    if [[ "$status" == "200" || "$status" == "201" ]]; then
        echo "[OK] ${name} registered"
    else
        echo "[ERROR] ${name}: HTTP ${status}" >&2
        cat /tmp/reply.json >&2
        exit 1
    fi
}

until curl -sf "${CONNECT_BASE}/connectors" >/dev/null 2>&1; do sleep 5; done

PORTAL_CONFIG=$(cat <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${PORTAL_DB_HOST}",
  "database.port": "${PORTAL_DB_PORT}",
  "database.user": "${PORTAL_DB_USER}",
  "database.password": "${PORTAL_DB_PASSWORD}",
  "database.dbname": "${PORTAL_DB_NAME}",
  "database.server.name": "agentdesk_portal",
  "topic.prefix": "agentdesk_portal",
  "plugin.name": "pgoutput",
  "publication.name": "cdc_portal_publication",
  "slot.name": "cdc_portal_outbox",
  "table.include.list": "public.outbox",
  "heartbeat.interval.ms": "5000",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "key",
  "transforms.outbox.table.field.event.type": "topic",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)

put_connector "agentdesk-portal-outbox" "${PORTAL_CONFIG}"

INFER_CONFIG=$(cat <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "${INFER_DB_HOST}",
  "database.port": "${INFER_DB_PORT}",
  "database.user": "${INFER_DB_USER}",
  "database.password": "${INFER_DB_PASSWORD}",
  "database.dbname": "${INFER_DB_NAME}",
  "database.server.name": "agentdesk_infer",
  "topic.prefix": "agentdesk_infer",
  "plugin.name": "pgoutput",
  "publication.name": "cdc_infer_publication",
  "slot.name": "cdc_infer_outbox",
  "table.include.list": "public.outbox",
  "heartbeat.interval.ms": "5000",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "event_id",
  "transforms.outbox.table.field.event.key": "key",
  "transforms.outbox.table.field.event.type": "topic",
  "transforms.outbox.table.field.event.payload": "payload",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)

put_connector "agentdesk-infer-outbox" "${INFER_CONFIG}"

curl -sf "${CONNECT_BASE}/connectors" | python3 -m json.tool
