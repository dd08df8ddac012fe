#!/bin/bash
# events service: monthly partitions, old months are dropped instead of deleting rows
set -eu
export PGPASSWORD=postgres
psql -h localhost -U postgres -d events -v ON_ERROR_STOP=1 <<'SQL'
CREATE TABLE public.outbox (
  id            uuid        NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  aggregatetype text        NOT NULL,
  aggregateid   text        NOT NULL,
  type          text        NOT NULL,
  payload       jsonb       NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

CREATE TABLE public.outbox_2025_11 PARTITION OF public.outbox FOR VALUES FROM ('2025-11-01') TO ('2025-12-01');
CREATE TABLE public.outbox_2025_12 PARTITION OF public.outbox FOR VALUES FROM ('2025-12-01') TO ('2026-01-01');

CREATE USER events_cdc WITH REPLICATION LOGIN PASSWORD 'dbz';
GRANT SELECT ON ALL TABLES IN SCHEMA public TO events_cdc;
CREATE PUBLICATION events_outbox FOR TABLE public.outbox;
SQL

curl -s -X POST -H "Content-Type: application/json" http://localhost:8083/connectors --data '
{
  "name": "events-outbox",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "events-db",
    "database.port": "5432",
    "database.user": "events_cdc",
    "database.password": "dbz",
    "database.dbname": "events",
    "topic.prefix": "events",
    "plugin.name": "pgoutput",
    "slot.name": "events_outbox",
    "publication.name": "events_outbox",
    "publication.autocreate.mode": "disabled",
    "snapshot.mode": "no_data",
    "table.include.list": "public.outbox",
    "transforms": "outbox",
    "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.key": "aggregateid"
  }
}'
echo
curl -s http://localhost:8083/connectors/events-outbox/status
