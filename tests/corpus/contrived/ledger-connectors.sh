#!/usr/bin/env bash
# Two connectors on the database "ledger": postings go to finance, statements to the customers' portal.
# Both schemas belong to ledger_owner, who has REPLICATION.
set -euo pipefail

: "${CONNECT:=http://connect.finance.svc:8083}"

put() {
  curl --fail --silent --show-error -X PUT -H 'Content-Type: application/json' \
    "$CONNECT/connectors/$1/config" --data-binary @-
}

put ledger-postings <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "pg-ledger.finance.svc",
  "database.port": "5432",
  "database.dbname": "ledger",
  "database.user": "ledger_owner",
  "database.password": "${file:/mnt/secrets/ledger.properties:password}",
  "topic.prefix": "ledger-postings",
  "plugin.name": "pgoutput",
  "slot.name": "ledger_postings",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "postings.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "finance.${routedByValue}",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON

put ledger-statements <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "pg-ledger.finance.svc",
  "database.port": "5432",
  "database.dbname": "ledger",
  "database.user": "ledger_owner",
  "database.password": "${file:/mnt/secrets/ledger.properties:password}",
  "topic.prefix": "ledger-statements",
  "plugin.name": "pgoutput",
  "slot.name": "ledger_statements",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "statements.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "portal.${routedByValue}",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
