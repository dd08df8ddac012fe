#!/usr/bin/env bash
# The brokers run with auto.create.topics.enable=false, so everything is made here first.
set -euo pipefail
BROKERS=kafka-1:9092,kafka-2:9092,kafka-3:9092
topic() { # name partitions
  kafka-topics.sh --bootstrap-server "$BROKERS" --create --if-not-exists \
    --topic "$1" --partitions "$2" --replication-factor 3 \
    --config min.insync.replicas=2 --config cleanup.policy=delete --config retention.ms=604800000
}

# internal topics of the worker
kafka-topics.sh --bootstrap-server "$BROKERS" --create --if-not-exists --topic hr-connect-configs \
  --partitions 1 --replication-factor 3 --config cleanup.policy=compact
topic hr-connect-offsets 25
kafka-topics.sh --bootstrap-server "$BROKERS" --create --if-not-exists --topic hr-connect-status \
  --partitions 5 --replication-factor 3 --config cleanup.policy=compact

# change topics
topic hr.public.employees 6
topic hr.public.contracts 6

docker run -d --name hr-connect --restart unless-stopped -p 8083:8083 \
  -e BOOTSTRAP_SERVERS="$BROKERS" \
  -e GROUP_ID=hr-connect \
  -e CONFIG_STORAGE_TOPIC=hr-connect-configs \
  -e OFFSET_STORAGE_TOPIC=hr-connect-offsets \
  -e STATUS_STORAGE_TOPIC=hr-connect-status \
  debezium/connect:2.7.3.Final

until curl -fs http://localhost:8083/connectors > /dev/null; do sleep 3; done

curl -fsS -X PUT http://localhost:8083/connectors/hr/config -H 'Content-Type: application/json' -d "$(cat <<EOF
{
  "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
  "database.hostname": "hr-db.example.org",
  "database.port": "5432",
  "database.user": "hr_cdc",
  "database.password": "${HR_CDC_PASSWORD}",
  "database.dbname": "hr",
  "topic.prefix": "hr",
  "plugin.name": "pgoutput",
  "slot.name": "hr_cdc",
  "publication.name": "hr_cdc",
  "publication.autocreate.mode": "disabled",
  "table.include.list": "public.employees,public.contracts"
}
EOF
)"
