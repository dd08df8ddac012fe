#!/bin/bash

BRANCHES=/home/ops/kafka/utils/branches.txt

while IFS= read -r line; do

  [ -z "$line" ] && continue
  [[ "$line" =~ ^# ]] && continue

  eval $line
  post_body() {
    cat <<EOF
    { "name": "$branch-queuedb-connector",
    "config": {
        "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
        "database.hostname": "$b_server",
        "database.instance": "SQL2014",
        "database.user": "sa",
        "database.password": "778899k@@",
        "database.names": "$b_database",
        "database.encrypt": "false",
        "topic.prefix": "$branch-queue",
        "table.include.list": "dbo.queue_sync",
        "schema.history.internal.kafka.topic": "schemahistory.$branch-queue-sync",
        "schema.history.internal.kafka.bootstrap.servers": "localhost:9092"
    }
  }
EOF
  }
  curl -X POST localhost:8083/connectors -H 'Content-Type: application/json' -d "$(post_body)"
  echo "--"
done <"$BRANCHES"
