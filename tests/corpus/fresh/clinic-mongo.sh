#curl -X PUT 'http://localhost:8083/connectors/pets-outbox/config' \
#-H 'Content-Type: application/json' \
#-d '{
#    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
#    "plugin.name": "pgoutput",
#    "tasks.max": "1",
#    "database.hostname": "postgres",
#    "database.port": "5432",
#    "database.user": "postgres",
#    "database.password": "postgres",
#    "database.dbname" : "pets",
#    "database.server.name": "pets-server",
#    "table.include.list" : "public.visit_outbox,public.owner_outbox",
#    "transforms" : "outbox",
#    "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
#    "transforms.outbox.route.by.field" : "destination_topic",
#    "transforms.outbox.table.field.event.payload.id": "aggregate_id",
#    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
#    "value.converter": "org.apache.kafka.connect.storage.StringConverter"
#  }'
# the service has moved to MongoDB
curl --location --request POST 'http://localhost:8083/connectors' \
--header 'Content-Type: application/json' \
--data-raw '{
  "name": "pets-mongo",
  "config": {
    "connector.class" : "io.debezium.connector.mongodb.MongoDbConnector",
    "tasks.max" : "1",
    "mongodb.hosts" : "rs0/pets-mongo:27017",
    "mongodb.name" : "pets",
    "database.include.list" : "visit-db,owner-db,drug-db",
    "collection.include.list": "visit-db.outbox-event,owner-db.outbox-event,drug-db.outbox-event",
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
