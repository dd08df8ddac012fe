#!/bin/bash

set -e

echo "Testing the Oracle 23 connector"

CONNECTOR_NAME="probe-oracle-23"
KAFKA_CONNECT_URL="http://localhost:8083"

# Clean up
echo "1. Removing an existing probe connector..."
curl -s -X DELETE "$KAFKA_CONNECT_URL/connectors/$CONNECTOR_NAME" > /dev/null 2>&1 || true
sleep 2

echo "2. Creating the connector WITHOUT database.oracle.version..."
echo "   The backend should add version=23.0.0.0"

CONNECTOR_CONFIG='{
  "name": "'"$CONNECTOR_NAME"'",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "oracle-free",
    "database.port": "1521",
    "database.user": "c##capture",
    "database.password": "capt",
    "database.dbname": "FREEPDB1",
    "database.server.name": "probe_oracle23",
    "database.connection.adapter": "logminer",
    "database.pdb.name": "FREEPDB1",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "probe-oracle-schema-history",
    "table.include.list": "C##CAPTURE\\..*",
    "snapshot.mode": "initial",
    "errors.tolerance": "all",
    "errors.deadletterqueue.topic.name": "probe-oracle-dlq",
    "errors.deadletterqueue.topic.replication.factor": "1",
    "errors.deadletterqueue.context.headers.enable": "true"
  }
}'

RESPONSE=$(curl -s -X POST "$KAFKA_CONNECT_URL/connectors" \
  -H "Content-Type: application/json" \
  -d "$CONNECTOR_CONFIG")

if echo "$RESPONSE" | grep -q "error_code"; then
  echo "FAILED: $RESPONSE"
  exit 1
fi
echo "Created."
