curl -X POST http://localhost:8083/connectors -H "Content-Type: application/json" -d '{
  "name": "ch-load",
  "config": {
    "connector.class": "com.clickhouse.kafka.connect.ClickHouseSinkConnector",
    "tasks.max": "1",
    "topics": "gym.public.member,gym.public.visit",
    "clickhouse.server.url": "http://ch:8123",
    "clickhouse.database": "gym",
    "clickhouse.user": "default",
    "clickhouse.password": "",
    "hostname":"ch",
    "port":"8123",
    "ssl": "false",
    "auto.create.tables": "true",
    "auto.evolve": "true",
    "insert.mode": "insert",
    "key.converter": "io.confluent.connect.avro.AvroConverter",
    "key.converter.schema.registry.url": "http://registry:8081",
    "key.converter.schemas.enable": "true",
    "value.converter": "io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://registry:8081",
    "value.converter.schemas.enable": "true",
  }
}'
