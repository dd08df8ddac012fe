#!/bin/sh
# usage: DB_HOST=... DB_PASSWORD_FILE=... ENVIRONMENT=staging ./deploy-outbox-connector.sh
CONNECT=${CONNECT:-http://kafka-connect:8083}

cat > /tmp/customer-outbox.json <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "$DB_HOST",
  "database.port": "5432",
  "database.user": "debezium",
  "database.password": "\${file:$DB_PASSWORD_FILE:password}",
  "database.dbname": "customer",
  "topic.prefix": "customer-$ENVIRONMENT",
  "plugin.name": "pgoutput",
  "slot.name": "customer_outbox",
  "publication.name": "customer_outbox",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox_events",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.by.field": "aggregate_type",
  "transforms.outbox.route.topic.replacement": "$ENVIRONMENT.customer.${routedByValue}",
  "transforms.outbox.table.field.event.key": "aggregate_id",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON

curl -sf -X PUT "$CONNECT/connectors/customer-outbox/config" \
  -H 'Content-Type: application/json' \
  -d @/tmp/customer-outbox.json
