#!/bin/bash

# The password comes from the environment; the fallback is for a developer's machine.
DB_PASSWORD="${POSTGRES_PASSWORD:-postgres}"

upsert() {
  NAME="$1"
  BODY="$2"

  STATUS=$(curl -s -o /dev/null -w "%{http_code}" "http://connect:8086/connectors/$NAME")

  if [ "$STATUS" -eq 200 ]; then
    echo "'$NAME' is there, new config"
    curl -s -X PUT -H "Content-Type:application/json" \
      "http://connect:8086/connectors/$NAME/config" \
      -d "$(echo "$BODY" | python3 -c 'import sys,json; print(json.dumps(json.load(sys.stdin)["config"]))')"
  else
    echo "'$NAME' is new"
    curl -i -X POST -H "Content-Type:application/json" \
      http://connect:8086/connectors/ -d "$BODY"
  fi
}

SEARCH_NAME="mugs-search-connector"
SEARCH_CONF='{
  "name": "'$SEARCH_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "mug-database",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "mugs_catalog",
    "plugin.name": "pgoutput",
    "topic.prefix": "search",
    "table.include.list": "public.mugs",
    "slot.name": "search_slot",
    "publication.name": "search_publication",
    "publication.autocreate.mode": "all_tables",
    "snapshot.mode": "always"
  }
}'

SALES_NAME="mugs-sales-outbox-connector"
SALES_CONF='{
  "name": "'$SALES_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "sales-database",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "mugs_sales",
    "plugin.name": "pgoutput",
    "topic.prefix": "salesdb",
    "table.include.list": "public.sales_outbox",
    "slot.name": "sales_outbox_slot",
    "publication.name": "sales_outbox_publication",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "event_type",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType,aggregate_type:header:aggregateType"
  }
}'

STOCK_NAME="mugs-stock-outbox-connector"
STOCK_CONF='{
  "name": "'$STOCK_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "stock-database",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "mugs_stock",
    "plugin.name": "pgoutput",
    "topic.prefix": "stock_outbox",
    "table.include.list": "public.stock_outbox",
    "slot.name": "stock_outbox_slot",
    "publication.name": "stock_outbox_publication",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "topic",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.table.field.event.type": "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.expand.json.payload": "true",
    "transforms.outbox.table.fields.additional.placement": "event_id:header:eventId,event_type:header:eventType,aggregate_type:header:aggregateType"
  }
}'

upsert "$SEARCH_NAME" "$SEARCH_CONF"
upsert "$SALES_NAME"  "$SALES_CONF"
upsert "$STOCK_NAME"  "$STOCK_CONF"

echo "Registered:"
curl -s http://connect:8086/connectors
