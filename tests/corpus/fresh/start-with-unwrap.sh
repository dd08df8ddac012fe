#!/bin/bash
# starts Kafka Connect and gives it its connector

wait_for_connect() {
    while ! curl -f http://localhost:8083/ > /dev/null 2>&1; do
        sleep 5
    done
}

configure() {
    DB_HOST=${DB_HOST:-loan-postgres}
    DB_PORT=${DB_PORT:-5432}
    DB_USER=${POSTGRES_USER:-loan_user}
    DB_PASSWORD=${POSTGRES_PASSWORD:-loan_password}
    DB_NAME=${POSTGRES_DB:-loan_people}
    TOPIC_PREFIX=${TOPIC_PREFIX:-loan.people}

    cat > /tmp/connector.json << EOF
{
  "name": "loan-people",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "${DB_HOST}",
    "database.port": "${DB_PORT}",
    "database.user": "${DB_USER}",
    "database.password": "${DB_PASSWORD}",
    "database.dbname": "${DB_NAME}",
    "database.server.name": "loan_people_server",
    "table.include.list": "public.people",
    "topic.prefix": "${TOPIC_PREFIX}",
    "plugin.name": "pgoutput",
    "slot.name": "debezium_slot",
    "publication.name": "dbz_publication",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": false,
    "value.converter.schemas.enable": false,
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": false,
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "snapshot.mode": "initial"
  }
}
EOF

    curl -X POST -H "Content-Type: application/json" \
        --data @/tmp/connector.json http://localhost:8083/connectors
}

/docker-entrypoint.sh start &
wait_for_connect
configure
wait
