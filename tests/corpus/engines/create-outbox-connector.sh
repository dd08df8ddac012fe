# --- PostgreSQL, first version
#curl -X PUT 'http://localhost:8083/connectors/outbox-connector/config' \
#-H 'Content-Type: application/json' \
#-d '{
#    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
#    "plugin.name": "pgoutput",
#    "tasks.max": "1",
#    "database.hostname": "postgres",
#    "database.port": "5432",
#    "database.user": "postgres",
#    "database.password": "postgres",
#    "database.dbname" : "saga-db",
#    "database.server.name": "saga-postgres",
#    "table.include.list" : "public.cart_outbox_event,public.stock_outbox_event,public.purse_outbox_event",
#    "transforms" : "outbox",
#    "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
#    "transforms.outbox.route.by.field" : "destination_topic",
#    "transforms.outbox.table.field.event.key":  "aggregate_id",
#    "transforms.outbox.route.topic.replacement" : "${routedByValue}"
#  }'
# --- MongoDB
curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
  "name": "saga-mongo",
  "config": {
    "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max" : "1",
    "mongodb.hosts" : "rs0/mongod:27017",
    "mongodb.name" : "saga",
    "database.include.list" : "cart-db,stock-db,purse-db",
    "collection.include.list": "cart-db.outbox-event,stock-db.outbox-event,purse-db.outbox-event",
    "database.history.kafka.bootstrap.servers" : "kafka:9092",
    "transforms" : "outbox",
    "transforms.outbox.type" : "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter",
    "transforms.outbox.route.topic.replacement" : "${routedByValue}.events",
    "transforms.outbox.collection.expand.json.payload" : "true",
    "transforms.outbox.collection.field.event.timestamp" : "timestamp",
    "transforms.outbox.collection.fields.additional.placement" : "type:header:eventType",
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
  }
}'
