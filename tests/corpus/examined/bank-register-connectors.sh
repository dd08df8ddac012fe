#!/bin/sh
# One connector per database. trace_b3 is written by the application as one string, since an SMT can copy a
# column to a header but not join several columns.

CONNECT="http://bank-connect:8083"

echo "Waiting for Kafka Connect..."
until curl -sf -o /dev/null "$CONNECT/connectors"; do
  sleep 3
done

reg() {
  name="$1"
  config="$2"
  code=$(curl -s -o /tmp/resp.txt -w "%{http_code}" \
    -X PUT "$CONNECT/connectors/$name/config" \
    -H "Content-Type: application/json" \
    -d "$config")
  case $code in
    200) echo "  [UPDATED] $name" ;;
    201) echo "  [CREATED] $name" ;;
    *)   echo "  [WARN]    $name HTTP $code: $(cat /tmp/resp.txt)" ;;
  esac
}

# "topic.prefix" is the newer name of "database.server.name"

# -- transfer saga: routed by its topic column -------------------------------
CONFIG=$(cat << EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "topic.prefix": "bank-saga",
  "database.hostname": "bank-postgres",
  "database.port": "5432",
  "database.user": "bank",
  "database.password": "$POSTGRES_PASSWORD",
  "database.dbname": "bank_saga",
  "table.include.list": "public.outbox",
  "plugin.name": "pgoutput",
  "publication.autocreate.mode": "filtered",
  "slot.name": "debezium_saga",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "outbox_id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "event_type",
  "transforms.outbox.route.by.field": "topic",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "trace_b3:header:b3",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)
reg "bank-saga-outbox" "$CONFIG"

# -- identity checks: the table is checks_outbox here ------------------------
CONFIG=$(cat << EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "topic.prefix": "bank-checks",
  "database.hostname": "bank-postgres",
  "database.port": "5432",
  "database.user": "bank",
  "database.password": "$POSTGRES_PASSWORD",
  "database.dbname": "bank_checks",
  "table.include.list": "public.checks_outbox",
  "plugin.name": "pgoutput",
  "publication.autocreate.mode": "filtered",
  "slot.name": "debezium_checks",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.field.event.id": "outbox_id",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "transforms.outbox.table.field.event.type": "event_type",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "\${routedByValue}",
  "transforms.outbox.table.fields.additional.placement": "trace_b3:header:b3",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)
reg "bank-checks-outbox" "$CONFIG"

echo "Done."
