#!/bin/bash

curl -X POST http://localhost:8083/connectors \
  -H "Accept: application/json" \
  -H "Content-Type: application/json" \
  -d '{
    "name": "vault-core",
    "config": {
        "connector.class": "io.debezium.connector.oracle.OracleConnector",
        "tasks.max": "1",
        "database.hostname": "oracle-db",
        "database.port": "1521",
        "database.user": "C##DEBEZIUM",
        "database.password": "oracle",
        "database.dbname": "VAULT",
        "database.pdb.name": "VAULT",
        "topic.prefix": "vault-core",
        "schema.include.list": "LIVE",
        "table.include.list": "LIVE.HISTORY,LIVE.DAILY_LOG,LIVE.ACCOUNT,LIVE.CUSTOMER,LIVE.CODE",
        "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
        "schema.history.internal.kafka.topic": "schema-changes.vault-core",
        "snapshot.mode": "initial",
        "log.mining.strategy": "online_catalog",
        "decimal.handling.mode": "double",
        "tombstones.on.delete": "true",
        "include.schema.changes": "true",
        "transforms": "filter",
        "transforms.filter.type": "io.debezium.transforms.Filter",
        "transforms.filter.language": "jsr223.groovy",
        "transforms.filter.condition": "def accounts = new HashSet(Arrays.asList('\''0012'\'','\''0021T'\'')); if (value == null) { return true }; def src = value.get(''source''); def tbl = src != null ? src.get(''table'') : ''''; if (tbl == ''CODE'') { return true }; def r = value.get(''after''); if (r == null) { return true }; def v = r.get(''ACCOUNT_NO''); return v == null || accounts.contains(v.toString())",
        "transforms.filter.null.handling.mode": "keep"
    }
}'
