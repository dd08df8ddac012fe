#!/usr/bin/env bash
# Freight yard: outbox in a pluggable database of Oracle 19c, archive logs and the LogMiner account are set up by the DBAs (see DBA-112)
set -euo pipefail

sqlplus -S "yard/${YARD_PW}@//yard-ora:1521/YARDPDB" <<'SQL'
WHENEVER SQLERROR EXIT FAILURE
CREATE TABLE outbox (
  id            VARCHAR2(36)  PRIMARY KEY,
  aggregatetype VARCHAR2(60)  NOT NULL,
  aggregateid   VARCHAR2(60)  NOT NULL,
  type          VARCHAR2(100) NOT NULL,
  payload       VARCHAR2(4000) NOT NULL
);
ALTER TABLE outbox ADD SUPPLEMENTAL LOG DATA (ALL) COLUMNS;
GRANT SELECT ON outbox TO c##dbzuser;
EXIT
SQL

for topic in yard.wagon yard.train; do
  kafka-topics --bootstrap-server kafka:9092 --create --if-not-exists --topic "$topic" --partitions 4 --replication-factor 3
done

curl -fsS -X PUT http://connect:8083/connectors/yard-outbox/config -H 'Content-Type: application/json' --data-binary @- <<'JSON'
{
  "connector.class": "io.debezium.connector.oracle.OracleConnector",
  "database.hostname": "yard-ora",
  "database.port": "1521",
  "database.user": "c##dbzuser",
  "database.password": "${file:/etc/connect/oracle.properties:password}",
  "database.dbname": "YARDCDB",
  "database.pdb.name": "YARDPDB",
  "topic.prefix": "yard",
  "schema.include.list": "YARD",
  "table.include.list": "YARD.OUTBOX",
  "log.mining.strategy": "online_catalog",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "yard.schema-history",
  "schema.history.internal.store.only.captured.tables.ddl": "true",
  "tombstones.on.delete": "false",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.table.fields.additional.placement": "type:header:eventType",
  "transforms.outbox.route.topic.replacement": "yard.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
JSON
