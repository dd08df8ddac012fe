#!/usr/bin/env bash
set -euo pipefail
CONNECT_URL="${CONNECT_URL:-http://localhost:8083}"
until curl -sf "${CONNECT_URL}/" > /dev/null 2>&1; do sleep 2; done
curl -sf -X POST "${CONNECT_URL}/connectors/" \
  -H "Accept: application/json" \
  -H "Content-Type: application/json" \
  --data @- <<'JSON'
{
  "name": "core-sqlserver",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "sqlserver",
    "database.port": "1433",
    "database.user": "sa",
    "database.password": "Vt7-corebank.Q94",
    "database.names": "CoreBank",
    "topic.prefix": "core",
    "table.include.list": "dbo.members,dbo.accounts",
    "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
    "schema.history.internal.kafka.topic": "_schema_history",
    "database.encrypt": "false",
    "database.trustServerCertificate": "true",
    "snapshot.mode": "initial",
    "poll.interval.ms": "500",
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.unwrap.add.fields": "op,source.ts_ms"
  }
}
JSON
