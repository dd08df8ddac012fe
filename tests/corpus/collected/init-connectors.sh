#!/bin/sh
# Called by the init service of the compose file once Connect answers.

CONNECT="http://debezium-connector:8083"
MAX_WAIT=120

until curl -s -o /dev/null -w "%{http_code}" "$CONNECT/connector-plugins" | grep -q "200"; do
    echo "not ready, next try in 5s"
    sleep 5
done

echo "PostgreSQL connector (create or update)..."
PG_RESULT=$(curl -s -o /dev/null -w "%{http_code}" -X PUT "$CONNECT/connectors/stock-connector/config" \
    -H 'Content-Type: application/json' \
    -d '{
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "database.hostname": "debezium-postgres",
        "database.port": "5432",
        "database.user": "postgres",
        "database.password": "postgres",
        "database.dbname": "postgres",
        "database.server.name": "stock-db-server",
        "table.include.list": "stock.clients, stock.articles",
        "topic.prefix": "stock-db-server",
        "plugin.name": "pgoutput",
        "slot.name": "debezium_slot"
    }')
echo "HTTP $PG_RESULT"

WAITED=0
while ! nc -z oracle-db 1521 2>/dev/null; do
    [ "$WAITED" -ge "$MAX_WAIT" ] && { echo "no Oracle, left out"; exit 0; }
    sleep 5
    WAITED=$((WAITED + 5))
done

ORACLE_CONFIG='{
    "connector.class": "io.debezium.connector.oracle.OracleConnector",
    "database.hostname": "oracle-db",
    "database.port": "1521",
    "database.user": "BRANCH_USER",
    "database.password": "password",
    "database.dbname": "FREEPDB1",
    "database.pdb.name": "FREEPDB1",
    "database.server.name": "oracle-db-server",
    "database.connection.adapter": "logminer",
    "table.include.list": "BRANCH_USER.CLIENTS",
    "topic.prefix": "oracle-db-server",
    "schema.history.internal.kafka.bootstrap.servers": "kafka1:29092,kafka2:29092,kafka3:29092",
    "schema.history.internal.kafka.topic": "oracle-schema-history",
    "log.mining.strategy": "online_catalog",
    "log.mining.continuous.mine": "true",
    "snapshot.mode": "initial",
    "include.schema.changes": "true",
    "database.tablename.case.insensitive": "false",
    "log.mining.session.max.ms": "10000",
    "log.mining.sleep.time.default.ms": "1000"
}'

TRIES=0
while [ "$TRIES" -lt 12 ]; do
    CODE=$(curl -s -o /tmp/oracle_result.json -w "%{http_code}" \
        -X PUT "$CONNECT/connectors/oracle-connector/config" \
        -H 'Content-Type: application/json' \
        -d "$ORACLE_CONFIG")
    [ "$CODE" = "200" ] || [ "$CODE" = "201" ] && break
    TRIES=$((TRIES + 1))
    cat /tmp/oracle_result.json
    sleep 10
done
curl -s "$CONNECT/connectors"
