#!/bin/sh
# The shops "north" and "south" live in two schemas of one MySQL server.
CONNECT_URL=${1:-http://localhost:8083}

put() {
  curl -fsS -X PUT -H 'Content-Type: application/json' "$CONNECT_URL/connectors/$1/config" -d "$2"
}

put shop-north '{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "shops-mysql.internal",
  "database.port": "3306",
  "database.user": "${file:/etc/kafka/shops.properties:user}",
  "database.password": "${file:/etc/kafka/shops.properties:password}",
  "database.server.id": "223344",
  "topic.prefix": "north",
  "database.include.list": "shop_north",
  "schema.history.internal.kafka.bootstrap.servers": "broker:9092",
  "schema.history.internal.kafka.topic": "history.north"
}'

put shop-south '{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "tasks.max": "1",
  "database.hostname": "shops-mysql.internal",
  "database.port": "3306",
  "database.user": "${file:/etc/kafka/shops.properties:user}",
  "database.password": "${file:/etc/kafka/shops.properties:password}",
  "database.server.id": "223344",
  "topic.prefix": "south",
  "database.include.list": "shop_south",
  "schema.history.internal.kafka.bootstrap.servers": "broker:9092",
  "schema.history.internal.kafka.topic": "history.south"
}'
