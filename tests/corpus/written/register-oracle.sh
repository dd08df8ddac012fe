#!/bin/bash
# Migration course, lab 4: capture the old and the new library schema

CONNECT="http://localhost:8083"

echo "1. old system"
curl -s -X POST ${CONNECT}/connectors \
  -H "Content-Type: application/json" \
  -d '{
  "name": "library-old",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "oracle-old",
    "database.port": "1521",
    "database.user": "c##dbzuser",
    "database.password": "dbz",
    "database.dbname": "XE",
    "database.pdb.name": "XEPDB1",
    "topic.prefix": "old",
    "table.include.list": "LIB_OLD.BOOKS,LIB_OLD.READERS,LIB_OLD.CODES",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "schema-changes.old",
    "log.mining.strategy": "online_catalog"
  }
}'

echo "2. new system"
curl -s -X POST ${CONNECT}/connectors \
  -H "Content-Type: application/json" \
  -d '{
  "name": "library-new",
  "config": {
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "tasks.max": "1",
    "database.hostname": "oracle-new",
    "database.port": "1521",
    "database.user": "c##dbzuser",
    "database.password": "dbz",
    "database.dbname": "XE",
    "database.pdb.name": "XEPDB1",
    "topic.prefix": "new",
    "table.include.list": "LIB_NEW.TITLE,LIB_NEW.MEMBER",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "schema-changes.new",
    "log.mining.strategy": "online_catalog"
  }
}'
