#!/bin/bash

# two Connect clusters: 8083 copies tables, 8084 publishes the outbox

setup_tables_connector() {
    curl -X DELETE http://localhost:8083/connectors/gym-connector 2>/dev/null
    sleep 5
    curl -X POST http://localhost:8083/connectors \
         -H "Content-Type: application/json" \
         -d '{
           "name": "gym-connector",
           "config": {
             "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
             "database.hostname": "postgres_gym",
             "database.port": "5432",
             "database.user": "testuser",
             "database.password": "testpass",
             "database.dbname": "gymdb",
             "database.server.name": "gym-cdc",
             "topic.prefix": "gym-cdc",
             "schema.include.list": "public",
             "table.include.list": "public.members,public.heartbeat",
             "plugin.name": "pgoutput",
             "publication.name": "dbz_publication",
             "slot.name": "debezium",
             "snapshot.mode": "never",
             "heartbeat.interval.ms": "1000",
             "heartbeat.action.query": "INSERT INTO heartbeat (id, ts) VALUES (1, NOW()) ON CONFLICT (id) DO UPDATE SET ts = NOW()",
             "poll.interval.ms": "500",
             "flush.ms": "100",
             "producer.linger.ms": "0",
             "status.update.interval.ms": "100",
             "logging.level": "DEBUG"
           }
         }'
}

setup_outbox_connector() {
    curl -X DELETE http://localhost:8084/connectors/outbox-connector 2>/dev/null
    sleep 5
    curl -X POST http://localhost:8084/connectors \
         -H "Content-Type: application/json" \
         -d '{
           "name": "outbox-connector",
           "config": {
             "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
             "database.hostname": "postgres_gym",
             "database.port": "5432",
             "database.user": "testuser",
             "database.password": "testpass",
             "database.dbname": "gymdb",
             "database.server.name": "outbox",
             "topic.prefix": "outbox",
             "schema.include.list": "public",
             "table.include.list": "public.outbox",
             "plugin.name": "pgoutput",
             "publication.name": "dbz_publication_outbox",
             "slot.name": "debezium_outbox",
             "snapshot.mode": "never",
             "transforms": "outbox",
             "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
             "transforms.outbox.table.field.event.id": "id",
             "transforms.outbox.table.field.event.key": "aggregateid",
             "transforms.outbox.table.field.event.type": "type",
             "transforms.outbox.table.field.event.payload": "payload",
             "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
             "transforms.outbox.route.by.field": "aggregatetype",
             "transforms.outbox.route.topic.replacement": "${routedByValue}",
             "poll.interval.ms": "500",
             "flush.ms": "100",
             "producer.linger.ms": "0",
             "status.update.interval.ms": "100",
             "logging.level": "DEBUG"
           }
         }'
}

PGPASSWORD=testpass psql -h localhost -U testuser -d gymdb -p 5433 << EOF
CREATE EXTENSION IF NOT EXISTS "uuid-ossp";
CREATE TABLE IF NOT EXISTS members (
    id SERIAL PRIMARY KEY,
    name VARCHAR(100),
    email VARCHAR(200)
);
CREATE TABLE IF NOT EXISTS heartbeat (
    id INTEGER PRIMARY KEY,
    ts TIMESTAMP WITH TIME ZONE NOT NULL
);
CREATE TABLE IF NOT EXISTS outbox (
    id UUID PRIMARY KEY DEFAULT uuid_generate_v4(),
    aggregatetype VARCHAR(255) NOT NULL,
    aggregateid VARCHAR(255) NOT NULL,
    type VARCHAR(255) NOT NULL,
    payload JSONB NOT NULL,
    created_at TIMESTAMP WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP
);
DROP PUBLICATION IF EXISTS dbz_publication;
CREATE PUBLICATION dbz_publication FOR TABLE members, heartbeat;
DROP PUBLICATION IF EXISTS dbz_publication_outbox;
CREATE PUBLICATION dbz_publication_outbox FOR TABLE outbox;
EOF

setup_tables_connector
setup_outbox_connector

echo "follow with: kafka-console-consumer --bootstrap-server kafka:29092 --topic member --from-beginning"
