#!/usr/bin/env bash
# Registers the outbox of the vet practice. The here-document is quoted: the router's ${routedByValue} must arrive as it is.
set -euo pipefail

CONNECT=${CONNECT:-http://localhost:8083}
DB_PASSWORD=$(kubectl get secret vet-outbox -o jsonpath='{.data.password}' | base64 -d)

template=$(cat <<'EOF'
{
  "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
  "database.hostname": "vet-mariadb",
  "database.port": "3306",
  "database.user": "vet_outbox",
  "database.server.id": "18804",
  "database.ssl.mode": "trust",
  "topic.prefix": "vet",
  "table.include.list": "vet.outbox",
  "snapshot.mode": "no_data",
  "snapshot.locking.mode": "none",
  "bigint.unsigned.handling.mode": "precise",
  "tombstones.on.delete": "false",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "vet.schema-history",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.regex": "(?<routedByValue>[a-z]+)(-legacy)?",
  "transforms.outbox.route.topic.replacement": "vet.${routedByValue}",
  "transforms.outbox.table.op.invalid.behavior": "error",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
EOF
)

jq --arg pw "$DB_PASSWORD" '. + {"database.password": $pw}' <<<"$template" |
  curl -sS --fail-with-body -X PUT -H 'Content-Type: application/json' \
    --data-binary @- "$CONNECT/connectors/vet-outbox/config"
