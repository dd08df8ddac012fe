#!/usr/bin/env bash
# Customers of the shop into the search index; a deleted customer has to vanish from it.
set -euo pipefail
connect=${CONNECT:-http://localhost:8083}

put() { curl -fsS -X PUT -H 'Content-Type: application/json' "$connect/connectors/$1/config" --data-binary @-; }

put shop-customers <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "mysql", "database.port": "3306",
  "database.user": "debezium", "database.password": "dbz",
  "database.server.id": "7042",
  "topic.prefix": "shopdb",
  "database.include.list": "shopdb",
  "table.include.list": "shopdb.customers",
  "include.schema.changes": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "shopdb.ddl",
  "transforms": "route",
  "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
  "transforms.route.regex": "([^.]+)\\.([^.]+)\\.([^.]+)",
  "transforms.route.replacement": "$3"
}
JSON

put customers-index <<'JSON'
{
  "connector.class": "io.confluent.connect.elasticsearch.ElasticsearchSinkConnector",
  "topics": "customers",
  "connection.url": "http://search:9200",
  "transforms": "unwrap,key",
  "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
  "transforms.key.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
  "transforms.key.field": "id",
  "key.ignore": "false",
  "schema.ignore": "true",
  "behavior.on.null.values": "delete"
}
JSON
