#!/bin/bash

wait_for() {
    local port=$1
    until curl -s -f "http://localhost:$port/" > /dev/null; do
        echo "Connect on port $port is not up yet"
        sleep 4
    done
}

cdc_connector() {
    curl -X DELETE http://localhost:8083/connectors/clients-connector 2>/dev/null
    sleep 3
    curl -X POST http://localhost:8083/connectors \
         -H "Content-Type: application/json" \
         -d '{
           "name": "clients-connector",
           "config": {
             "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
             "database.hostname": "pg_origin",
             "database.port": "5432",
             "database.user": "labuser",
             "database.password": "labpass",
             "database.dbname": "labdb",
             "topic.prefix": "lab-cdc",
             "database.server.name": "lab-cdc",
             "schema.include.list": "public",
             "table.include.list": "public.clients,public.pulse",
             "plugin.name": "pgoutput",
             "slot.name": "dbz_clients",
             "publication.name": "lab_publication",
             "heartbeat.interval.ms": "2000",
             "heartbeat.action.query": "INSERT INTO pulse (id, at) VALUES (1, NOW()) ON CONFLICT (id) DO UPDATE SET at = NOW()",
             "poll.interval.ms": "250",
             "flush.ms": "100",
             "producer.linger.ms": "0",
             "status.update.interval.ms": "100",
             "logging.level": "DEBUG",
             "snapshot.mode": "never"
           }
         }'
}

outbox_connector() {
    curl -X DELETE http://localhost:8084/connectors/messages-connector 2>/dev/null
    sleep 3
    curl -X POST http://localhost:8084/connectors \
         -H "Content-Type: application/json" \
         -d '{
           "name": "messages-connector",
           "config": {
             "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
             "database.hostname": "pg_origin",
             "database.port": "5432",
             "database.user": "labuser",
             "database.password": "labpass",
             "database.dbname": "labdb",
             "topic.prefix": "messages",
             "database.server.name": "messages",
             "schema.include.list": "public",
             "table.include.list": "public.outbox",
             "plugin.name": "pgoutput",
             "slot.name": "dbz_messages",
             "publication.name": "lab_publication_outbox",
             "transforms": "outbox",
             "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
             "transforms.outbox.table.fields.additional.placement": "type:header:kind",
             "transforms.outbox.route.topic.replacement": "${routedByValue}",
             "transforms.outbox.table.field.event.id": "id",
             "transforms.outbox.table.field.event.key": "aggregateid",
             "transforms.outbox.table.field.event.type": "type",
             "transforms.outbox.table.field.event.payload": "payload",
             "transforms.outbox.route.by.field": "aggregatetype",
             "poll.interval.ms": "250",
             "flush.ms": "100",
             "producer.linger.ms": "0",
             "status.update.interval.ms": "100",
             "logging.level": "DEBUG",
             "snapshot.mode": "never"
           }
         }'
}

wait_for 8083
wait_for 8084

PGPASSWORD=labpass psql -h localhost -U labuser -d labdb -p 5434 << EOF
CREATE TABLE IF NOT EXISTS clients (id SERIAL PRIMARY KEY, name VARCHAR(100));
CREATE TABLE IF NOT EXISTS pulse (id INTEGER PRIMARY KEY, at TIMESTAMP WITH TIME ZONE NOT NULL);
CREATE TABLE IF NOT EXISTS outbox (
    id UUID PRIMARY KEY DEFAULT gen_random_uuid(),
    aggregatetype VARCHAR(255) NOT NULL,
    aggregateid VARCHAR(255) NOT NULL,
    type VARCHAR(255) NOT NULL,
    payload JSONB NOT NULL
);
CREATE PUBLICATION lab_publication FOR TABLE clients, pulse;
CREATE PUBLICATION lab_publication_outbox FOR TABLE outbox;
EOF

cdc_connector
outbox_connector

echo "topics: lab-cdc.public.clients and client"
