#!/usr/bin/env bash
set -eu
: "${DB_HOST:?}" "${DB_USER:?}" "${DB_PASSWORD:?}"

# heredoc without quotes: the variables of the environment are filled in
curl -sS -X POST http://connect:8083/connectors \
  -H "Content-Type: application/json" \
  --data-binary @- <<EOF
{
  "name": "courier-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "$DB_HOST",
    "database.port": "5432",
    "database.user": "$DB_USER",
    "database.password": "$DB_PASSWORD",
    "database.dbname": "courier",
    "topic.prefix": "courier",
    "plugin.name": "pgoutput",
    "slot.name": "courier_outbox",
    "publication.name": "courier_outbox",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "delivery\\.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregate_id",
    "transforms.outbox.route.by.field": "aggregate_type"
  }
}
EOF
