#!/bin/sh
# Before: quay.io/yugabyte/debezium-connector:1.3.7-BETA, all tables of the database arrived.
# Now:    quay.io/yugabyte/debezium-connector:1.7.0.12-BETA, the POST is answered with 500.
docker run -d --name connect -p 8083:8083 \
  -e BOOTSTRAP_SERVERS=kafka:9092 -e GROUP_ID=1 \
  -e CONFIG_STORAGE_TOPIC=configs -e OFFSET_STORAGE_TOPIC=offsets -e STATUS_STORAGE_TOPIC=statuses \
  quay.io/yugabyte/debezium-connector:1.7.0.12-BETA

STREAM_ID=$(yb-admin --master_addresses 10.0.0.11:7100 create_change_data_stream ysql.museum | awk '{print $NF}')

curl -i -X POST -H "Content-Type: application/json" localhost:8083/connectors/ -d '{
  "name": "museum-stream",
  "config": {
    "connector.class": "io.debezium.connector.yugabytedb.YugabyteDBConnector",
    "tasks.max": "1",
    "database.hostname": "10.0.0.11",
    "database.port": "5433",
    "database.master.addresses": "10.0.0.11:7100",
    "database.user": "yugabyte",
    "database.password": "yugabyte",
    "database.dbname": "museum",
    "database.server.name": "museum",
    "database.streamid": "'"$STREAM_ID"'",
    "snapshot.mode": "never"
  }
}'
