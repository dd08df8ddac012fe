curl -X POST http://localhost:8083/connectors -H "Content-Type: application/json" -d '{
  "name": "retail-source",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "retailpg",
    "database.port": "5432",
    "database.user": "postgres",
    "database.password": "postgres",
    "database.dbname": "retail",
    "database.server.name": "retailpg1",
    "topic.prefix": "retail",
    "table.include.list": "public.client,public.baskets",
    "plugin.name": "pgoutput",
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://registry:8081",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://registry:8081"
  }
}'
