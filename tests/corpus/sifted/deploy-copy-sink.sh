#!/bin/bash

source .env

OUT=copy-sink.json
rm -f $OUT

cat > $OUT << 'EOF'
{
  "name": "copy-sink",
  "config": {
    "connector.class": "io.debezium.connector.jdbc.JdbcSinkConnector",
    "tasks.max": "1",
    "topics.regex": "origin-a\\.FROM_DB\\.[^\\.].*",
    "connection.url": "jdbc:mysql://TO_HOST:TO_PORT/TO_DB",
    "connection.username": "TO_USER",
    "connection.password": "TO_SECRET",
    "insert.mode": "upsert",
    "delete.enabled": "true",
    "primary.key.mode": "record_key",
    "schema.evolution": "basic",
    "table.name.format": "${topic.tail}",
    "tombstones.behavior": "delete",
    "database.timezone": "UTC",
    "database.dialect": "mysql"
  }
}
EOF

# fill in what .env says
sed -i "s/FROM_DB/${ORIGIN_DB}/g" $OUT
sed -i "s/TO_HOST/${COPY_HOST}/g" $OUT
sed -i "s/TO_PORT/${COPY_PORT}/g" $OUT
sed -i "s/TO_DB/${COPY_DB}/g" $OUT
sed -i "s/TO_USER/${COPY_USER}/g" $OUT
sed -i "s/TO_SECRET/${COPY_SECRET}/g" $OUT

curl -X DELETE http://localhost:${CONNECT_PORT}/connectors/copy-sink 2>/dev/null || true
curl -X POST -H "Content-Type: application/json" --data @copy-sink.json http://localhost:${CONNECT_PORT}/connectors
