#!/bin/bash

CUSTOMERS_URL=http://localhost:8083/connectors
OUTBOX_URL=http://localhost:8084/connectors

register_members() {
  curl -X POST "$CUSTOMERS_URL" -H "Content-Type: application/json" -d '{
    "name": "members-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "members-pg",
      "database.port": "5432",
      "database.user": "testuser",
      "database.password": "testpass",
      "database.dbname": "testdb",
      "topic.prefix": "members",
      "database.server.name": "members",
      "schema.include.list": "public",
      "table.include.list": "public.members,public.heartbeat",
      "plugin.name": "pgoutput",
      "slot.name": "debezium",
      "publication.name": "dbz_publication",
      "heartbeat.interval.ms": "1000",
      "heartbeat.action.query": "INSERT INTO public.heartbeat (id, ts) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET ts = now()",
      "poll.interval.ms": "50",
      "flush.ms": "100",
      "producer.linger.ms": "0",
      "status.update.interval.ms": "100",
      "logging.level": "DEBUG",
      "snapshot.mode": "never"
    }
  }'
}

register_outbox() {
  curl -X POST "$OUTBOX_URL" -H "Content-Type: application/json" -d '{
    "name": "members-outbox-connector",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "tasks.max": "1",
      "database.hostname": "members-pg",
      "database.port": "5432",
      "database.user": "testuser",
      "database.password": "testpass",
      "database.dbname": "testdb",
      "topic.prefix": "members-outbox",
      "database.server.name": "members-outbox",
      "schema.include.list": "public",
      "table.include.list": "public.outbox",
      "plugin.name": "pgoutput",
      "slot.name": "debezium_outbox",
      "publication.name": "dbz_publication_outbox",
      "poll.interval.ms": "50",
      "flush.ms": "100",
      "producer.linger.ms": "0",
      "status.update.interval.ms": "100",
      "logging.level": "DEBUG",
      "snapshot.mode": "never",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
      "transforms.outbox.route.topic.replacement": "${routedByValue}",
      "transforms.outbox.table.field.event.id": "id",
      "transforms.outbox.table.field.event.key": "aggregateid",
      "transforms.outbox.table.field.event.type": "type",
      "transforms.outbox.table.field.event.payload": "payload",
      "transforms.outbox.route.by.field": "aggregatetype"
    }
  }'
}

register_members
register_outbox
