#!/bin/bash

# wait for the Connect REST API
echo "Waiting for Kafka Connect ..."
until curl -s http://connect:8083/connectors > /dev/null 2>&1; do
  echo "not there yet"
  sleep 2
done

if curl -s http://connect:8083/connectors | grep -q "accounts-cdc"; then
  echo "accounts-cdc is registered already"
  exit 0
fi

echo "Registering the CDC connector of SQL Server ..."
curl -X POST http://connect:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "accounts-cdc",
    "config": {
      "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
      "database.hostname": "mssql",
      "database.port": 1433,
      "database.user": "debezium",
      "database.password": "Cdc_P@ssw0rd1",
      "database.names": "DemoDB",
      "database.encrypt": "false",
      "topic.prefix": "sqlsrv",
      "table.include.list": "dbo.accounts",
      "schema.history.internal.kafka.bootstrap.servers": "broker:29092",
      "schema.history.internal.kafka.topic": "schemahistory.demodb",
      "snapshot.mode": "initial_only"
    }
  }'

echo
echo "Done."
