#!/bin/sh
# expects DB_HOST, DB_PORT, DEBEZIUM_USER, ... from the compose env file

URL="http://${CONNECT_HOST}:${CONNECT_PORT}/connectors/shelter-connector/config"

until curl -s -o /dev/null -w "%{http_code}" "http://${CONNECT_HOST}:${CONNECT_PORT}/connectors" | grep -q "200"; do
  sleep 3
done

echo "Creating or updating shelter-connector ..."

curl -i -X PUT \
  -H "Accept:application/json" \
  -H "Content-Type:application/json" \
  -d '{
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "plugin.name": "pgoutput",
    "database.hostname": "'"${DB_HOST}"'",
    "database.port": "'"${DB_PORT}"'",
    "database.user": "'"${DEBEZIUM_USER}"'",
    "database.password": "'"${DEBEZIUM_PASSWORD}"'",
    "database.dbname": "'"${POSTGRES_DB}"'",
    "topic.prefix": "'"${DEBEZIUM_TOPIC_PREFIX}"'",
    "table.include.list": "public.adoptions",
    "slot.name": "'"${DEBEZIUM_SLOT_NAME}"'",
    "publication.name": "'"${DEBEZIUM_PUBLICATION_NAME}"'",
    "snapshot.mode": "initial",
    "decimal.handling.mode": "double",
    "database.connection.timezone": "UTC",
    "slot.drop.on.stop": "true"
  }' \
  "$URL"

echo "\nshelter-connector done"
