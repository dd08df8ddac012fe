#!/bin/sh
# 1. outbox of the SMS gateway   2. connector (debezium/connect:2.6)
set -e

docker compose exec -T smsdb psql -U postgres smsdb <<'SQL'
CREATE TABLE IF NOT EXISTS public.outboxevent (
    id             uuid PRIMARY KEY,
    aggregate_type varchar(80) NOT NULL,
    aggregate_id   varchar(80) NOT NULL,
    type           varchar(80) NOT NULL,
    payload        jsonb       NOT NULL
);
SQL

curl -fsS -X POST http://localhost:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "sms-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "smsdb",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "smsdb",
    "topic.prefix": "smsdb1",
    "table.include.list": "public.outboxevent",
    "tombstones.on.delete": "false",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field": "aggregate_type",
    "transforms.OutboxEventRouter.event.key": "aggregate_id",
    "transforms.outbox.table.fields.additional.placement": "type:header:eventType"
  }
}'

# consumer: mp.messaging.incoming.sms.topic=outbox.event.sms_message, key = aggregate_id
