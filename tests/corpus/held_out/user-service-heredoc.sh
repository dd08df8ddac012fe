#!/bin/sh
set -eu
: "${USER_DB_HOST:?}" "${USER_DB_USER:?}" "${USER_DB_PASSWORD:?}"
CONNECT_URL=${CONNECT_URL:-http://connect:8083}
NAME=user-outbox
TABLE_NAME=public.user_outbox

CONNECTOR_DATA=$(cat <<EOF
{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "slot.name": "user_outbox",
    "publication.name": "user_outbox",
    "publication.autocreate.mode": "filtered",
    "database.hostname": "$USER_DB_HOST",
    "database.port": "5432",
    "database.user": "$USER_DB_USER",
    "database.password": "$USER_DB_PASSWORD",
    "database.dbname": "$USER_DB_NAME",
    "table.field.event.id": "id",
    "table.field.event.key": "aggregateid",
    "table.field.event.payload": "payload",
    "table.include.list": "$TABLE_NAME",
    "tasks.max": "2",
    "tombstones.on.delete": "false",
    "topic.prefix": "private",
    "tracing.operation.name": "debezium-read",
    "tracing.span.context.field": "context",
    "tracing.with.context.field.only": "true",
    "transforms": "outbox",
    "transforms.outbox.route.topic.replacement": "$USER_TOPIC_TEMPLATE",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "route.by.field": "aggregatetype",
    "value.converter": "io.debezium.converters.BinaryDataConverter"
}
EOF
)

if [ "$(curl -s -o /dev/null -w '%{http_code}' "$CONNECT_URL/connectors/$NAME/status")" -eq 404 ]; then
  curl -s -X PUT "$CONNECT_URL/connectors/$NAME/config" -H 'Content-Type: application/json' -d "$CONNECTOR_DATA"
fi
