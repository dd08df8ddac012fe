#!/bin/bash
until curl -s http://connect:8083/connectors > /dev/null 2>&1; do
  sleep 2
done
if curl -s http://connect:8083/connectors | grep -q "users-cdc"; then
  echo "already there"
  exit 0
fi
curl -X POST http://connect:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "users-cdc",
    "config": {
      "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
      "database.hostname": "sqlserver",
      "database.port": 1433,
      "database.user": "debezium",
      "database.password": "Qh3-users.P82m",
      "database.names": "Users",
      "topic.prefix": "mssql",
      "table.include.list": "dbo.users",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "history.users",
      "snapshot.mode": "initial_only",
      "database.encrypt": "false"
    }
  }'
