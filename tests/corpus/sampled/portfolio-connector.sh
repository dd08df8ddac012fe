# add
curl -X POST http://localhost:18083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "portfolio-outbox",
    "config": {
      "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
      "database.hostname": "postgres",
      "database.port": "5432",
      "database.user": "postgres",
      "database.password": "postgres",
      "database.dbname": "portfolio",
      "database.server.name": "portfolio",
      "topic.prefix": "portfolio",
      "table.include.list": "public.outbox",
      "slot.name": "debezium_slot",
      "plugin.name": "pgoutput",
      "tombstones.on.delete": "false",
      "transforms": "outbox",
      "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
      "transforms.outbox.table.field.event.key": "id",
      "transforms.outbox.route.by.field": "destination_topic"
    }
  }'

# look
curl http://localhost:18083/connectors/portfolio-outbox/status

# remove
curl -X DELETE http://localhost:18083/connectors/portfolio-outbox

# read
docker exec -it portfolio-kafka kafka-console-consumer \
  --bootstrap-server localhost:9092 \
  --topic outbox.event.Watchlist.WatchlistItemAddedEvent \
  --from-beginning \
  --property print.key=true
