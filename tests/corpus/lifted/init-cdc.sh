#!/bin/sh
# One-shot container: registers the change capture of SQL Server, then ends.
set -e
apk add --no-cache curl >/dev/null

echo "Waiting for Connect"
until curl -sf http://cdc-connect:8083/connectors >/dev/null; do
  sleep 2
done

if curl -s http://cdc-connect:8083/connectors | grep -q "people-changes"; then
  echo "people-changes is there already"
  exit 0
fi

echo "Registering people-changes: every insert, update and delete in dbo.people goes to Kafka"
curl -X POST http://cdc-connect:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "people-changes",
    "config": {
      "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
      "database.hostname": "sqlserver",
      "database.port": 1433,
      "database.user": "debezium",
      "database.password": "debezium",
      "database.names": "Registry",
      "topic.prefix": "sql",
      "table.include.list": "dbo.people",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "ddl.registry",
      "snapshot.mode": "initial_only",
      "database.encrypt": "false"
    }
  }'
echo
