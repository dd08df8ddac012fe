#!/usr/bin/env bash
# Registers the capture of the core banking copy. Topics: cu.CoreCopy.dbo.<table>
set -euo pipefail

CONNECT="${CONNECT:-http://localhost:8083}"

echo "Waiting for Connect ..."
until curl -sf "${CONNECT}/" > /dev/null 2>&1; do sleep 2; done

curl -sf -X POST "${CONNECT}/connectors/" \
  -H "Accept: application/json" \
  -H "Content-Type: application/json" \
  -d '{
  "name": "cu-core",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "sqlserver",
    "database.port": "1433",
    "database.user": "sa",
    "database.password": "changeme",
    "database.names": "CoreCopy",
    "topic.prefix": "cu",
    "table.include.list": "dbo.member_changes,dbo.owners,dbo.ledgers",
    "schema.history.internal.kafka.bootstrap.servers": "redpanda:29092",
    "schema.history.internal.kafka.topic": "_cu_ddl",
    "database.encrypt": "false",
    "database.trustServerCertificate": "true",
    "snapshot.mode": "initial",
    "poll.interval.ms": "500",
    "transforms": "flat",
    "transforms.flat.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.flat.drop.tombstones": "false",
    "transforms.flat.delete.handling.mode": "rewrite",
    "transforms.flat.add.fields": "op,source.ts_ms"
  }
}'

echo
echo "Registered. State:"
curl -s "${CONNECT}/connectors/cu-core/status"
