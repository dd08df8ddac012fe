#!/usr/bin/env bash

echo "MySQL source of the store"

curl -s -X PUT -H  "Content-Type:application/json" http://dbz:8083/connectors/store-mysql/config \
    -d '{
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "mysql",
    "database.port": 3306,
    "database.user": "debezium",
    "database.password": "'"${STORE_DB_PASSWORD}"'",
    "database.server.id": "551177",
    "database.allowPublicKeyRetrieval": true,
    "database.history.kafka.bootstrap.servers":"'"$BROKERS"'",
    "database.history.kafka.topic": "store-history",
    "schema.history.internal.kafka.bootstrap.servers": "'"$BROKERS"'",
    "schema.history.internal.kafka.topic": "store-internal-history",
    "database.include.list": "store",
    "topic.prefix": "store01",
    "time.precision.mode": "connect",
    "include.schema.changes": false
 }'
