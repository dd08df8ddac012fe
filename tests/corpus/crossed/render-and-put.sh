#!/bin/sh
# usage: ENVIRONMENT=stage SKATE_DB_PASSWORD=... ./render-and-put.sh
set -eu
export ENVIRONMENT SKATE_DB_PASSWORD

cat > /tmp/skate.tpl.json <<'TPL'
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "skate-db.${ENVIRONMENT}.internal",
  "database.port": "5432",
  "database.user": "skate_cdc",
  "database.password": "${SKATE_DB_PASSWORD}",
  "database.dbname": "skate",
  "topic.prefix": "skate-${ENVIRONMENT}",
  "plugin.name": "pgoutput",
  "slot.name": "skate_cdc",
  "status.update.interval.ms": "5000",
  "max.batch.size": "512",
  "publication.name": "skate_cdc",
  "publication.autocreate.mode": "filtered",
  "table.include.list": "public.outbox",
  "transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.topic.replacement": "skate.${routedByValue}",
  "key.converter": "org.apache.kafka.connect.storage.StringConverter",
  "value.converter": "org.apache.kafka.connect.storage.StringConverter"
}
TPL

# only these two variables, everything else stays as it is
envsubst '${ENVIRONMENT} ${SKATE_DB_PASSWORD}' < /tmp/skate.tpl.json |
  curl -fsS -X PUT -H 'Content-Type: application/json' -d @- \
    "http://connect.${ENVIRONMENT}.internal:8083/connectors/skate/config"
rm /tmp/skate.tpl.json
