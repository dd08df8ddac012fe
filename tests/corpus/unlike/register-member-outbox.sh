#!/bin/bash

set -euo pipefail

TABLE_NAME="$MEMBER_OUTBOX_DB_SCHEMA.$MEMBER_OUTBOX_DB_TABLE"

MIGRATION=$(
	cat <<SQL
CREATE TABLE IF NOT EXISTS $TABLE_NAME (
	id UUID PRIMARY KEY NOT NULL,
	aggregatetype VARCHAR(255) NOT NULL,
	aggregateid VARCHAR(255) NOT NULL,
	payload BYTEA NOT NULL,
	tracingspancontext JSONB NOT NULL,
	created_at TIMESTAMP WITH TIME ZONE NOT NULL DEFAULT CURRENT_TIMESTAMP
);
COMMENT ON COLUMN $TABLE_NAME.payload IS 'protobuf bytes of the event';
SQL
)

# https://debezium.io/documentation/reference/3.0/connectors/postgresql.html
CONNECTOR_DATA=$(
	cat <<JSON
{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "$MEMBER_OUTBOX_DB_HOST",
    "database.port": "$MEMBER_OUTBOX_DB_PORT",
    "database.user": "$MEMBER_OUTBOX_DB_USER",
    "database.password": "$MEMBER_OUTBOX_DB_PASSWORD",
    "database.dbname": "$MEMBER_OUTBOX_DB_NAME",
    "table.field.event.id": "id",
    "table.field.event.key": "aggregateid",
    "table.field.event.payload": "payload",
    "table.include.list": "$TABLE_NAME",
    "tasks.max": "2",
    "tombstones.on.delete": "false",
    "topic.prefix": "internal",
    "tracing.operation.name": "debezium-read",
    "tracing.span.context.field": "context",
    "tracing.with.context.field.only": "true",
    "transforms": "outbox",
    "transforms.outbox.route.topic.replacement": "$MEMBER_OUTBOX_TOPIC_TEMPLATE",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "route.by.field": "aggregatetype",
    "value.converter": "io.debezium.converters.BinaryDataConverter"
}
JSON
)

if [ "$MEMBER_OUTBOX_RUN_MIGRATION" == "true" ]; then
	PGPASSWORD="$MEMBER_OUTBOX_DB_PASSWORD" psql -h "$MEMBER_OUTBOX_DB_HOST" -p "$MEMBER_OUTBOX_DB_PORT" \
		-U "$MEMBER_OUTBOX_DB_USER" -d "$MEMBER_OUTBOX_DB_NAME" -c "$MIGRATION"
fi

if [ "$(curl -s -o /dev/null -w "%{http_code}" "$CONNECT_URL/connectors/$MEMBER_OUTBOX_CONNECTOR/status")" -eq 404 ]; then
	curl -sS -X POST "$CONNECT_URL/connectors/" -H "Content-Type: application/json" \
		-d "{\"name\": \"$MEMBER_OUTBOX_CONNECTOR\", \"config\": $CONNECTOR_DATA}"
else
	curl -sS -X PUT "$CONNECT_URL/connectors/$MEMBER_OUTBOX_CONNECTOR/config" \
		-H "Content-Type: application/json" -d "$CONNECTOR_DATA"
fi
