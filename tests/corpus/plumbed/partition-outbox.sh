#!/usr/bin/env bash
# The outbox of the toll stations becomes a partitioned table: a month is dropped at once instead of being deleted row by row
set -euo pipefail
DB=${DB:-postgres://tolls_admin@tolls-db:5432/tolls}
CONNECT=${CONNECT:-http://connect:8083}

psql "$DB" -v ON_ERROR_STOP=1 --single-transaction <<'SQL'
CREATE TABLE public.outbox (
  id            uuid        NOT NULL DEFAULT gen_random_uuid(),
  created_at    timestamptz NOT NULL DEFAULT now(),
  aggregatetype text        NOT NULL,
  aggregateid   text        NOT NULL,
  type          text        NOT NULL,
  payload       jsonb       NOT NULL,
  PRIMARY KEY (id, created_at)
) PARTITION BY RANGE (created_at);

CREATE TABLE public.outbox_2026_01 PARTITION OF public.outbox FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE public.outbox_2026_02 PARTITION OF public.outbox FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE TABLE public.outbox_2026_03 PARTITION OF public.outbox FOR VALUES FROM ('2026-03-01') TO ('2026-04-01');

CREATE PUBLICATION tolls_outbox FOR TABLE public.outbox WITH (publish = 'insert');
GRANT SELECT ON public.outbox TO tolls_cdc;
SQL

kafka-topics.sh --bootstrap-server kafka:9092 --create --if-not-exists --topic tolls.passage --partitions 24 --replication-factor 3
kafka-topics.sh --bootstrap-server kafka:9092 --create --if-not-exists --topic tolls.invoice --partitions 6 --replication-factor 3

curl -fsS -X PUT "$CONNECT/connectors/tolls-outbox/config" -H 'Content-Type: application/json' -d '{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "tolls-db",
  "database.port": "5432",
  "database.user": "tolls_cdc",
  "database.password": "${file:/etc/connect/tolls.properties:password}",
  "database.dbname": "tolls",
  "topic.prefix": "tolls",
  "plugin.name": "pgoutput",
  "slot.name": "tolls_outbox",
  "publication.name": "tolls_outbox",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "public.outbox",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "tolls.${routedByValue}",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}'
