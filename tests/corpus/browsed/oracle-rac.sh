#!/bin/sh
# source connector of the RAC: LogMiner, or XStream with CDC_METHOD=xstream
set -e

CONNECT=${CONNECT:-http://localhost:8083}
CDC_METHOD=${CDC_METHOD:-logminer}

until curl -sf "$CONNECT/connectors" > /dev/null; do sleep 5; done

if curl -sf "$CONNECT/connectors/rac-cdc" > /dev/null; then
  curl -sf -X DELETE "$CONNECT/connectors/rac-cdc"
  sleep 3
fi

URL="jdbc:oracle:thin:@(DESCRIPTION=(LOAD_BALANCE=on)(FAILOVER=on)(ADDRESS=(PROTOCOL=TCP)(HOST=${RAC_NODE1})(PORT=${ORA_PORT}))(ADDRESS=(PROTOCOL=TCP)(HOST=${RAC_NODE2})(PORT=${ORA_PORT}))(CONNECT_DATA=(SERVICE_NAME=${ORA_SERVICE})(SERVER=DEDICATED)))"

COMMON="
      \"connector.class\": \"io.debezium.connector.oracle.OracleConnector\",
      \"tasks.max\": \"1\",
      \"database.hostname\": \"${RAC_SCAN}\",
      \"database.port\": \"${ORA_PORT}\",
      \"database.user\": \"${ORA_CDC_USER}\",
      \"database.password\": \"${ORA_CDC_PASSWORD}\",
      \"database.dbname\": \"${ORA_CDB}\",
      \"database.pdb.name\": \"${ORA_PDB}\",
      \"database.url\": \"${URL}\",
      \"topic.prefix\": \"rac\",
      \"schema.history.internal.kafka.bootstrap.servers\": \"${BROKERS}\",
      \"schema.history.internal.kafka.topic\": \"rac.ddl\",
      \"table.include.list\": \"${TABLES}\",
      \"snapshot.include.collection.list\": \"${SNAPSHOT_TABLES}\",
      \"message.key.columns\": \"${KEY_COLUMNS}\",
      \"signal.enabled.channels\": \"kafka\",
      \"signal.kafka.topic\": \"rac.signals\",
      \"signal.kafka.bootstrap.servers\": \"${BROKERS}\",
      \"signal.kafka.group.id\": \"rac-signal-group\",
      \"snapshot.mode\": \"initial\",
      \"snapshot.locking.mode\": \"none\",
      \"snapshot.fetch.size\": \"2000\",
      \"decimal.handling.mode\": \"string\",
      \"time.precision.mode\": \"connect\",
      \"binary.handling.mode\": \"base64\",
      \"heartbeat.interval.ms\": \"10000\",
      \"poll.interval.ms\": \"1000\",
      \"max.batch.size\": \"2048\",
      \"max.queue.size\": \"8192\""

if [ "$CDC_METHOD" = "xstream" ]; then
  curl -sf -X POST "$CONNECT/connectors" -H "Content-Type: application/json" -d "{
      \"name\": \"rac-cdc\",
      \"config\": {
        ${COMMON},
        \"database.connection.adapter\": \"xstream\",
        \"database.out.server.name\": \"${XSTREAM_OUT}\"
      }
    }"
else
  curl -sf -X POST "$CONNECT/connectors" -H "Content-Type: application/json" -d "{
      \"name\": \"rac-cdc\",
      \"config\": {
        ${COMMON},
        \"database.connection.adapter\": \"logminer\",
        \"log.mining.strategy\": \"online_catalog\",
        \"log.mining.transaction.retention.ms\": \"86400000\",
        \"rac.nodes\": \"${RAC_NODE1},${RAC_NODE2}\"
      }
    }"
fi

sleep 5
curl -sf "$CONNECT/connectors/rac-cdc/status"
