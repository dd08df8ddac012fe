#!/usr/bin/env bash
set -euo pipefail
# Bad outbox rows end in outbox.audit.dlq, the connector keeps running.
curl -fsS -X POST http://localhost:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "audit-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "localhost",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "audit",
    "plugin.name": "pgoutput",
    "topic.prefix": "audit",
    "table.include.list": "public.outbox",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter",
    "errors.tolerance": "all",
    "errors.deadletterqueue.topic.name": "outbox.audit.dlq",
    "errors.deadletterqueue.topic.replication.factor": "1",
    "errors.deadletterqueue.context.headers.enable": "true",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter"
  }
}'
