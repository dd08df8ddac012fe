#!/usr/bin/env bash
# The account of the connector is no superuser. So that Debezium may make its publication, the tables belong to a role of which
# both the application and the connector are members, and the connector's account may create objects in the database.
set -euo pipefail

psql "postgresql://postgres@bakery-db/bakery" -v ON_ERROR_STOP=1 <<'SQL'
CREATE ROLE bakery_tables NOLOGIN;
CREATE ROLE bakery_cdc LOGIN REPLICATION PASSWORD 'changeme';
GRANT bakery_tables TO bakery_app, bakery_cdc;

CREATE TABLE IF NOT EXISTS public.orders (
  id bigserial PRIMARY KEY, customer text NOT NULL, loaves int NOT NULL, notes text
);
CREATE TABLE IF NOT EXISTS public.deliveries (
  id bigserial PRIMARY KEY, order_id bigint NOT NULL REFERENCES public.orders, left_at timestamptz
);
ALTER TABLE public.orders     OWNER TO bakery_tables;
ALTER TABLE public.deliveries OWNER TO bakery_tables;
ALTER TABLE public.orders     REPLICA IDENTITY FULL;

GRANT CREATE ON DATABASE bakery TO bakery_cdc;
GRANT USAGE  ON SCHEMA public TO bakery_cdc;
SQL

kafka-topics.sh --bootstrap-server kafka:9092 --create --if-not-exists --topic bakery.public.orders \
  --partitions 3 --replication-factor 3 --config cleanup.policy=compact
kafka-topics.sh --bootstrap-server kafka:9092 --create --if-not-exists --topic bakery.public.deliveries \
  --partitions 3 --replication-factor 3 --config cleanup.policy=compact

curl -fsS -X POST http://connect:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "bakery",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "bakery-db",
    "database.port": "5432",
    "database.user": "bakery_cdc",
    "database.password": "changeme",
    "database.dbname": "bakery",
    "topic.prefix": "bakery",
    "plugin.name": "pgoutput",
    "slot.name": "bakery",
    "publication.name": "bakery_pub",
    "publication.autocreate.mode": "filtered",
    "table.include.list": "public.orders,public.deliveries"
  }
}'
