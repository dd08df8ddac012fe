#!/bin/bash

echo "waiting for debezium-connect"
until curl -s http://debezium-connect:8083/connectors > /dev/null 2>&1; do
  echo "  not up yet"
  sleep 2
done

# leave when it was registered before
if curl -s http://debezium-connect:8083/connectors | grep -q "clinic-cdc"; then
  echo "clinic-cdc is registered"
  exit 0
fi

curl -X POST http://debezium-connect:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "clinic-cdc",
    "config": {
      "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
      "database.hostname": "sqlserver",
      "database.port": 1433,
      "database.user": "debezium",
      "database.password": "Deb3zium_P@ss",
      "database.names": "DemoClinic",
      "database.encrypt": "false",
      "topic.prefix": "mssql",
      "table.include.list": "dbo.patients",
      "snapshot.mode": "initial_only",
      "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
      "schema.history.internal.kafka.topic": "dbhistory.democlinic"
    }
  }'

echo ""
echo "registered"
