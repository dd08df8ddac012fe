#!/bin/bash
# Registers one PostgreSQL connector for the outbox table of every shop service

set -e

CONNECT_NAME="localhost"
CONNECT_PORT="8084"

echo "Waiting for Connect..."
until curl -s -f "http://${CONNECT_NAME}:${CONNECT_PORT}/connectors" > /dev/null; do
    sleep 5
done

echo "Connect answers."

# name, host, database, table, prefix
add_connector() {
    local connector=$1
    local pg_host=$2
    local pg_database=$3
    local pg_table=$4
    local prefix=$5

    echo "-> ${connector}"

    curl -X POST -H "Content-Type: application/json" \
        --data "{
            \"name\": \"${connector}\",
            \"config\": {
                \"connector.class\": \"io.debezium.connector.postgresql.PostgresConnector\",
                \"database.hostname\": \"${pg_host}\",
                \"database.port\": \"5432\",
                \"database.user\": \"postgres\",
                \"database.password\": \"postgres\",
                \"database.dbname\": \"${pg_database}\",
                \"database.server.name\": \"${prefix}\",
                \"table.include.list\": \"public.outgoing_event\",
                \"plugin.name\": \"pgoutput\",
                \"publication.autocreate.mode\": \"filtered\",
                \"slot.name\": \"${connector}_slot\",
                \"publication.name\": \"${connector}_pub\",
                \"transforms\": \"unwrap,nameTopic\",
                \"transforms.unwrap.type\": \"io.debezium.transforms.ExtractNewRecordState\",
                \"transforms.unwrap.drop.tombstones\": \"true\",
                \"transforms.unwrap.delete.handling.mode\": \"rewrite\",
                \"transforms.nameTopic.type\": \"org.apache.kafka.connect.transforms.RegexRouter\",
                \"transforms.nameTopic.regex\": \"([^.]+)\\.([^.]+)\\.([^.]+)\",
                \"transforms.nameTopic.replacement\": \"\${3}.events\",
                \"key.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
                \"value.converter\": \"org.apache.kafka.connect.json.JsonConverter\",
                \"key.converter.schemas.enable\": \"false\",
                \"value.converter.schemas.enable\": \"false\",
                \"snapshot.mode\": \"never\"
            }
        }" \
        "http://${CONNECT_NAME}:${CONNECT_PORT}/connectors" \
        -w "\n%{http_code}\n" -s | tail -1
}

add_connector "article-outbox-connector" "postgres-article" "article_db" "outgoing_event" "article"
add_connector "brand-outbox-connector" "postgres-brand" "brand_db" "outgoing_event" "brand"
add_connector "purchase-outbox-connector" "postgres-purchase" "purchase_db" "outgoing_event" "purchase"
add_connector "supply-outbox-connector" "postgres-supply" "supply_db" "outgoing_event" "supply"
add_connector "message-outbox-connector" "postgres-message" "message_db" "outgoing_event" "message"
add_connector "charge-outbox-connector" "postgres-charge" "charge_db" "outgoing_event" "charge"

curl -s "http://${CONNECT_NAME}:${CONNECT_PORT}/connectors" | jq .
