#!/usr/bin/env bash
# Starts CRM source and replica and keeps the table "accounts" in step.
set -euo pipefail
NET=crm-net
docker network inspect $NET >/dev/null 2>&1 || docker network create $NET

docker run -d --name crm-db --network $NET \
  -e POSTGRES_DB=crm -e POSTGRES_USER=crm -e POSTGRES_PASSWORD=secret \
  postgres:16 postgres -c wal_level=logical
docker run -d --name replica-db --network $NET \
  -e POSTGRES_DB=replica -e POSTGRES_USER=replica -e POSTGRES_PASSWORD=secret postgres:16
docker run -d --name kafka --network $NET artifacts.example.org/platform/kafka-kraft:3.8
docker run -d --name connect --network $NET -p 8083:8083 \
  -e BOOTSTRAP_SERVERS=kafka:9092 -e GROUP_ID=crm \
  -e CONFIG_STORAGE_TOPIC=crm-c -e OFFSET_STORAGE_TOPIC=crm-o -e STATUS_STORAGE_TOPIC=crm-s \
  artifacts.example.org/debezium/connect:3.2

until docker exec crm-db pg_isready -U crm -d crm -h 127.0.0.1; do sleep 1; done
docker exec -i crm-db psql -U crm -d crm <<'SQL'
CREATE TABLE accounts (id bigint PRIMARY KEY, name text NOT NULL, tier text);
ALTER TABLE accounts REPLICA IDENTITY FULL;
SQL

until curl -fs localhost:8083/connectors; do sleep 2; done
put() { curl -fsS -X PUT -H 'Content-Type: application/json' "localhost:8083/connectors/$1/config" -d @-; echo; }

put crm-source <<'JSON'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "crm-db",
  "database.port": 5432,
  "database.user": "crm",
  "database.password": "secret",
  "database.dbname": "crm",
  "topic.prefix": "crm",
  "plugin.name": "pgoutput",
  "slot.name": "crm_replica",
  "table.include.list": "public.accounts"
}
JSON

# the sink understands the full envelope, no unwrapping needed
put crm-sink <<'JSON'
{
  "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
  "topics": "crm.public.accounts",
  "connection.url": "jdbc:postgresql://replica-db:5432/replica",
  "connection.username": "replica",
  "connection.password": "secret",
  "insert.mode": "upsert",
  "primary.key.mode": "record_key",
  "delete.enabled": "true",
  "schema.evolution": "basic",
  "collection.name.format": "accounts_copy"
}
JSON
