#!/usr/bin/env bash
# MariaDB 11.4 inside the private network, no TLS on the server. Debezium 3.1.
set -euo pipefail

curl -fsS -X PUT -H 'Content-Type: application/json' \
  "${CONNECT_URL:?}/connectors/recipe-outbox/config" -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
  "tasks.max": "1",
  "database.hostname": "recipe-mariadb",
  "database.port": "3306",
  "database.user": "debezium",
  "database.password": "${file:/secrets/recipe.properties:password}",
  "database.server.id": "71300",
  "database.ssl.mode": "disabled",
  "database.include.list": "recipe",
  "table.include.list": "recipe.outbox",
  "topic.prefix": "recipe",
  "include.schema.changes": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "schema-history.recipe",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.regex": "(?<aggregate>[a-z]+)",
  "transforms.outbox.route.topic.replacement": "recipe.${routedByValue}.events",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
