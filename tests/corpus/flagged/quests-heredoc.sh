#!/usr/bin/env bash
# usage: ./quests-heredoc.sh dev|staging
set -eo pipefail
stage=$1

cat > /tmp/quests-outbox.json <<EOF
{
  "name": "quests-outbox-${stage}",
  "config": {
    "connector.class": "io.debezium.connector.mariadb.MariaDbConnector",
    "database.hostname": "quests-db.${stage}.example.org",
    "database.port": "3306",
    "database.user": "outbox",
    "database.password": "$(pass show quests/${stage}/outbox)",
    "database.server.id": "20331",
    "topic.prefix": "quests",
    "table.include.list": "quests.outbox_events",
    "skipped.operations": "u,d,t",
    "schema.history.internal.kafka.bootstrap.servers": "kafka.${stage}.example.org:9092",
    "schema.history.internal.kafka.topic": "quests-history",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregatetype",
    "transforms.outbox.route.topic.replacement": "quests.events.${routedByValue}",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
    "errors.tolerance": "all",
    "errors.deadletterqueue.topic.name": "quests-outbox-dlq",
    "errors.deadletterqueue.context.headers.enable": "true",
    "errors.log.enable": "true"
  }
}
EOF

curl -sS -X POST -H "Content-Type: application/json" \
  --data @/tmp/quests-outbox.json "http://connect.${stage}.example.org:8083/connectors"
