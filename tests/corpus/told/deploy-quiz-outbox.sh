#!/usr/bin/env bash
# Writes the outbox connector of the quiz service; answers, rounds and players get a topic each.
set -eo pipefail

CONNECT=${CONNECT:-http://localhost:8083}
DB_HOST=${DB_HOST:-quiz-db}

cat > /tmp/quiz-outbox.json <<JSON
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "tasks.max": "1",
  "database.hostname": "${DB_HOST}",
  "database.port": "5432",
  "database.user": "postgres",
  "database.password": "postgres",
  "database.dbname": "quiz",
  "topic.prefix": "quiz",
  "plugin.name": "pgoutput",
  "slot.name": "quiz_outbox",
  "table.include.list": "public.outbox",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "quiz.${routedByValue}.events",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON

curl -fsS -X PUT "$CONNECT/connectors/quiz-outbox/config" \
  -H 'Content-Type: application/json' \
  -d @/tmp/quiz-outbox.json
