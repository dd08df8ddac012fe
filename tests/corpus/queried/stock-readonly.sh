#!/usr/bin/env bash
# Ad hoc snapshots without write access to the source: the signals come by topic.
set -euo pipefail

mkdir -p work
cat > work/stock.cnf <<'CNF'
[mysqld]
server-id                 = 223344
log_bin                   = mysql-bin
binlog_format             = ROW
binlog_row_image          = FULL
binlog_expire_logs_seconds = 86400
gtid_mode                 = OFF
CNF

docker run -d --name stock-db --network lab -e MYSQL_ROOT_PASSWORD=debezium \
  -v "$PWD/work/stock.cnf:/etc/mysql/conf.d/stock.cnf" mysql:8.4
docker run -d --name connect --network lab -p 8083:8083 \
  -e BOOTSTRAP_SERVERS=kafka:9092 -e GROUP_ID=1 -e CONFIG_STORAGE_TOPIC=c -e OFFSET_STORAGE_TOPIC=o \
  -e STATUS_STORAGE_TOPIC=s quay.io/debezium/connect:3.2
until curl -fs localhost:8083/connectors; do sleep 2; done

curl -sS -X PUT localhost:8083/connectors/stock/config -H 'Content-Type: application/json' -d @- <<'JSON'
{
  "connector.class": "io.debezium.connector.mysql.MySqlConnector",
  "database.hostname": "stock-db",
  "database.port": "3306",
  "database.user": "root",
  "database.password": "debezium",
  "database.server.id": "223345",
  "topic.prefix": "stock",
  "database.include.list": "stock",
  "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
  "schema.history.internal.kafka.topic": "stock-history",
  "read.only": "true",
  "signal.enabled.channels": "kafka",
  "signal.kafka.topic": "stock-signals",
  "signal.kafka.bootstrap.servers": "kafka:9092"
}
JSON
