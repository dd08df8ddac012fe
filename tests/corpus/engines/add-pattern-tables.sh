#!/bin/bash
# ==========================================================
# adds the two pattern tables to the sync Oracle -> PostgreSQL
# ==========================================================

echo "--- 1: tables in PostgreSQL"
docker exec -i sync-postgres psql -U postgres -d plant_db << 'EOSQL'
CREATE TABLE IF NOT EXISTS "plant_cdc"."ma_patterns" (
    "PATTERN_CODE" VARCHAR(50) PRIMARY KEY,
    "CONDITION_NO" VARCHAR(50),
    "UPDATE_DATETIME" TIMESTAMP
);
CREATE TABLE IF NOT EXISTS "plant_cdc"."ma_pattern_details" (
    "PATTERN_CODE" VARCHAR(50),
    "SEQ_NO" INTEGER,
    "ITEM_CODE" VARCHAR(50),
    PRIMARY KEY ("PATTERN_CODE", "SEQ_NO")
);
EOSQL

echo "--- 2: source connector"
curl -X PUT http://localhost:8083/connectors/oracle-plant-main-v4/config \
  -H "Content-Type: application/json" \
  -d '{
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "name": "oracle-plant-main-v4",
    "database.hostname": "10.44.12.18",
    "database.port": "1521",
    "database.dbname": "PLANTDB",
    "database.user": "PLANT",
    "database.password": "PLANT",
    "database.connection.adapter": "logminer",
    "log.mining.dictionary": "online_catalog",
    "log.mining.start.scn": "187334902",
    "log.mining.continuous.mine": "false",
    "schema.include.list": "PLANT",
    "table.include.list": "PLANT.MA_TANKS,PLANT.MA_ITEMS,PLANT.TR_TANK_HISTORIES,PLANT.TR_ORDERS,PLANT.MA_PATTERNS,PLANT.MA_PATTERN_DETAILS",
    "include.schema.changes": "false",
    "snapshot.mode": "when_needed",
    "topic.prefix": "plant",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "dbhistory.oracle.plant.main"
  }'

sleep 3
curl -s http://localhost:8083/connectors/oracle-plant-main-v4/status | jq '.connector.state, .tasks[0].state'

echo "--- 3: sink of MA_PATTERNS"
curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "sink_ma_patterns",
    "config": {
      "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
      "topics": "plant.PLANT.MA_PATTERNS",
      "connection.url": "jdbc:postgresql://10.44.12.98:5434/plant_db?stringtype=unspecified",
      "connection.username": "postgres",
      "connection.password": "postgres",
      "insert.mode": "upsert",
      "primary.key.mode": "record_key",
      "delete.enabled": "true",
      "schema.evolution": "none",
      "quote.identifiers": "true",
      "table.name.format": "\"plant_cdc\".\"ma_patterns\"",
      "tasks.max": "1"
    }
  }'

echo "--- 4: topics"
docker exec -it sync-kafka bash -lc "kafka-topics --bootstrap-server localhost:9092 --list 2>/dev/null | grep -i pattern"
