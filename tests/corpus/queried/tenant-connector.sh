#!/bin/bash
# usage: tenant-connector.sh acme    -- one connector per tenant, all tenants share the topics all_pim.<table>
set -euo pipefail
: "${1:?tenant}"

curl --fail-with-body --request POST --url localhost:8083/connectors \
  --header 'Content-Type: application/json' --data @- << EOT
{
  "name": "pim-$1",
  "config": {
    "connector.class": "io.debezium.connector.mysql.MySqlConnector",
    "tasks.max": "1",
    "database.hostname": "mysql",
    "database.port": "3306",
    "database.user": "root",
    "database.password": "root",
    "database.server.id": "$((30000 + RANDOM))",
    "topic.prefix": "$1",
    "database.include.list": "$1",
    "include.schema.changes": "false",
    "schema.history.internal.kafka.bootstrap.servers": "redpanda:9092",
    "schema.history.internal.kafka.topic": "ddl.$1",
    "driver.allowPublicKeyRetrieval": "true",
    "transforms": "share",
    "transforms.share.type": "io.debezium.transforms.ByLogicalTableRouter",
    "transforms.share.topic.regex": "^$1\\\\.$1\\\\.(.*)$",
    "transforms.share.topic.replacement": "all_pim.\$1",
    "transforms.share.key.field.name": "tenant",
    "transforms.share.key.field.regex": "^($1)\\\\..*",
    "transforms.share.key.field.replacement": "\$1"
  }
}
EOT
