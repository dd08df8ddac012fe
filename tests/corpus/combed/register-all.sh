#!/bin/bash
# password from the environment, a throw-away one for the laptop
DB_PASSWORD="${POSTGRES_PASSWORD:-1234}"
CONNECT="http://connect:8086/connectors"

upsert() {
  if [ "$(curl -s -o /dev/null -w "%{http_code}" "$CONNECT/$1")" -eq 200 ]; then
    curl -s -X PUT -H "Content-Type:application/json" "$CONNECT/$1/config" \
      -d "$(echo "$2" | python3 -c 'import sys,json; print(json.dumps(json.load(sys.stdin)["config"]))')"
  else
    curl -i -X POST -H "Content-Type:application/json" "$CONNECT/" -d "$2"
  fi
}

CATALOG_NAME="mall-catalog"
CATALOG='{
  "name": "'$CATALOG_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "catalog-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "mall_catalog",
    "plugin.name": "pgoutput",
    "topic.prefix": "mall",
    "table.include.list": "public.articles",
    "slot.name": "catalog_slot",
    "publication.name": "catalog_publication",
    "publication.autocreate.mode": "all_tables",
    "snapshot.mode": "always"
  }
}'

CART_NAME="mall-cart-outbox"
CART='{
  "name": "'$CART_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "cart-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "mall_cart",
    "plugin.name": "pgoutput",
    "topic.prefix": "cartdb",
    "table.include.list": "public.cart_outbox",
    "slot.name": "cart_outbox_slot",
    "publication.name": "cart_outbox_publication",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "tombstones.on.delete": "false",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id": "id",
    "transforms.outbox.table.field.event.key": "cart_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field": "event_type",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "event_type:header:eventType"
  }
}'

STOCK_NAME="mall-stock-outbox"
STOCK='{
  "name": "'$STOCK_NAME'",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "stock-db",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "'$DB_PASSWORD'",
    "database.dbname": "mall_stock",
    "plugin.name": "pgoutput",
    "topic.prefix": "stockdb",
    "table.include.list": "public.stock_outbox",
    "slot.name": "stock_outbox_slot",
    "publication.name": "stock_outbox_publication",
    "publication.autocreate.mode": "filtered",
    "snapshot.mode": "never",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "topic",
    "transforms.outbox.route.topic.replacement": "${routedByValue}",
    "transforms.outbox.table.field.event.id": "event_id",
    "transforms.outbox.table.field.event.key": "article_id",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.table.expand.json.payload": "true"
  }
}'

upsert "$CATALOG_NAME" "$CATALOG"
upsert "$CART_NAME" "$CART"
upsert "$STOCK_NAME" "$STOCK"
