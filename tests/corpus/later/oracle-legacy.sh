#!/bin/bash
# debezium-connector-oracle 1.9.7.Final with ojdbc8, Connect on localhost
curl -i -X POST \
  -H "Accept:application/json" -H "Content-Type:application/json" \
  localhost:8083/connectors/ \
  -d '{
    "name": "ledger-oracle",
    "config": {
      "connector.class": "io.debezium.connector.oracle.OracleConnector",
      "tasks.max": "1",
      "database.hostname": "oracle12",
      "database.port": "1521",
      "database.user": "c##dbzuser",
      "database.password": "dbz",
      "database.dbname": "ORCLCDB",
      "database.pdb.name": "ORCLPDB1",
      "database.server.name": "ledger",
      "database.connection.adapter": "logminer",
      "database.history.kafka.bootstrap.servers": "kafka:9092",
      "database.history.kafka.topic": "schema-changes.ledger",
      "log.mining.strategy": "online_catalogue",
      "table.include.list": "LEDGER.BOOKING,LEDGER.ACCOUNT",
      "snapshot.mode": "initial"
    }
  }'
