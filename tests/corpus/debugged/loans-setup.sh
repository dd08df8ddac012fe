#!/bin/bash
# All that was done on a fresh PostgreSQL 15 (wal_level=logical), as the requirements have it.
set -e
psql -U postgres -d library <<'SQL'
CREATE TABLE public.loans (id serial PRIMARY KEY, copy_id int NOT NULL, member_id int NOT NULL, due date NOT NULL);
CREATE ROLE cdc WITH LOGIN REPLICATION CREATEDB PASSWORD 'changeme';
GRANT CONNECT ON DATABASE library TO cdc;
GRANT CREATE ON DATABASE library TO cdc;
GRANT USAGE ON SCHEMA public TO cdc;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO cdc;
SQL

curl -sf -X POST http://localhost:8083/connectors -H 'Content-Type: application/json' -d '{
  "name": "loans",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "cdc",
    "database.password": "changeme",
    "database.dbname": "library",
    "topic.prefix": "library",
    "plugin.name": "pgoutput",
    "slot.name": "loans",
    "schema.include.list": "public",
    "table.include.list": "public.loans"
  }
}'
