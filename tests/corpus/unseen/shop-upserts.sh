#!/bin/bash

CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
DB_PASSWORD="${POSTGRES_PASSWORD:-1234}"

upsert_connector() {
  local name="$1"
  local body="$2"
  local config
  config=$(echo "$body" | python3 -c 'import json,sys; print(json.dumps(json.load(sys.stdin)["config"]))')
  if curl -s -o /dev/null -w '%{http_code}' "$CONNECT_URL/connectors/$name" | grep -q 200; then
    curl -s -X PUT "$CONNECT_URL/connectors/$name/config" -H "Content-Type: application/json" -d "$config"
  else
    curl -s -X POST "$CONNECT_URL/connectors" -H "Content-Type: application/json" -d "$body"
  fi
}

# rows of the catalog for the search index
TITLE_NAME="title-cdc"
TITLE_CONF='{
  "name": "'$TITLE_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "catalog-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "catalog",
    "topic.prefix": "bookshop",
    "plugin.name": "pgoutput",
    "slot.name": "title_cdc_slot",
    "publication.name": "title_cdc_pub",
    "publication.autocreate.mode": "all_tables",
    "snapshot.mode": "always",
    "table.include.list": "public.title",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

REVIEW_NAME="review-cdc"
REVIEW_CONF='{
  "name": "'$REVIEW_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "review-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "review",
    "topic.prefix": "bookshop",
    "plugin.name": "pgoutput",
    "slot.name": "review_cdc_slot",
    "publication.name": "review_cdc_pub",
    "publication.autocreate.mode": "all_tables",
    "snapshot.mode": "always",
    "table.include.list": "public.review",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false"
  }
}'

BASKET_NAME="basket-outbox"
BASKET_CONF='{
  "name": "'$BASKET_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "basket-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "basket",
    "topic.prefix": "basket",
    "plugin.name": "pgoutput",
    "slot.name": "basket_outbox_slot",
    "publication.name": "basket_outbox_pub",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "table.include.list": "public.outbox",
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

DEPOT_NAME="depot-outbox"
DEPOT_CONF='{
  "name": "'$DEPOT_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "depot-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "depot",
    "topic.prefix": "depot",
    "plugin.name": "pgoutput",
    "slot.name": "depot_outbox_slot",
    "publication.name": "depot_outbox_pub",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "table.include.list": "public.outbox_event",
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
    "transforms.outbox.table.fields.additional.placement": "event_id:header:eventId,event_type:header:eventType,created_at:header:createdAt"
  }
}'

upsert_connector "$TITLE_NAME" "$TITLE_CONF"
upsert_connector "$REVIEW_NAME" "$REVIEW_CONF"
upsert_connector "$BASKET_NAME" "$BASKET_CONF"
upsert_connector "$DEPOT_NAME" "$DEPOT_CONF"
