#!/bin/bash
# Thread: "The task dies with InvalidTopicException: The request attempted to perform an operation on an invalid topic:"
# (and yes, nothing stands behind the colon). GET /connectors/ferry/config shows an empty replacement.
set -e
DB_HOST=${DB_HOST:-ferry-mysql}
DB_USER=${DB_USER:-debezium}
: "${DB_PASSWORD:?}"

cat > /tmp/ferry.json <<EOJ
{
  "name": "ferry",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "database.hostname": "${DB_HOST}",
    "database.port": "3306",
    "database.user": "${DB_USER}",
    "database.password": "${DB_PASSWORD}",
    "database.server.id": "52301",
    "topic.prefix": "ferry",
    "include.schema.changes": "false",
    "table.include.list": "ops.sailing,ops.booking",
    "schema.history.internal.kafka.bootstrap.servers": "kafka:29092",
    "schema.history.internal.kafka.topic": "ferry-schema",
    "transforms": "shortName",
    "transforms.shortName.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.shortName.regex": "([^.]+)[.]([^.]+)[.]([^.]+)",
    "transforms.shortName.replacement": "$3"
  }
}
EOJ

curl -s -o /dev/stderr -w '%{http_code}\n' -X POST -H 'Content-Type: application/json' \
  --data @/tmp/ferry.json "${CONNECT_URL:-http://localhost:8083}/connectors"
