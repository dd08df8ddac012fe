#!/bin/bash
# Sets up replication for the crawler; Connect is debezium/connect:2.4.

until PGPASSWORD=crawl psql -h localhost -U crawl -d pages -c '\q' 2>/dev/null; do
  echo "PostgreSQL is not up"
  sleep 3
done

PGPASSWORD=crawl psql -h localhost -U crawl -d pages -c "
DROP PUBLICATION IF EXISTS pages_pub;
CREATE PUBLICATION pages_pub FOR TABLE pages, images, page_changes;
"

until curl -s http://localhost:8083/ > /dev/null; do
  echo "Connect is not up"
  sleep 3
done

cat > pages.json << EOF
{
  "name": "pages-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "tasks.max": "1",
    "database.hostname": "postgres.internal",
    "database.port": "5432",
    "database.user": "crawl",
    "database.password": "crawl",
    "database.dbname": "pages",
    "database.server.name": "postgres",
    "schema.include.list": "public",
    "table.include.list": "public.pages,public.images,public.page_changes",
    "plugin.name": "pgoutput",
    "slot.name": "pages",
    "publication.name": "pages_pub",
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter.schemas.enable": "false"
  }
}
EOF

curl -X POST -H "Content-Type: application/json" --data @pages.json http://localhost:8083/connectors
echo "done"
