#!/bin/bash

# one database a line
DATABASES=./databases.txt
MSSQL_HOST=${MSSQL_HOST:-notices-mssql}

generate_post_data() {
  cat <<EOF
{
  "name": "notices-$DB",
  "config": {
    "connector.class": "io.debezium.connector.sqlserver.SqlServerConnector",
    "tasks.max": "1",
    "database.hostname": "$MSSQL_HOST",
    "database.port": "1433",
    "database.user": "sa",
    "database.password": "Passw0rd!",
    "database.names": "$DB",
    "topic.prefix": "notices",
    "table.include.list": "dbo.notice",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:9092",
    "schema.history.internal.kafka.topic": "notices.history",
    "database.encrypt": "false",
    "database.trustServerCertificate": "true"
  }
}
EOF
}

while read -r DB; do
  curl -s -X POST http://localhost:8083/connectors \
    -H "Content-Type: application/json" \
    --data "$(generate_post_data)"
done < "$DATABASES"
