#!/bin/bash
# Exercise 6: the whole order as a JSON text into one column of an Oracle view

curl -X "DELETE" "http://$STACK_IP:8083/connectors/ex6-oracle-sink"

curl -X "POST" "$STACK_IP:8083/connectors" \
     -H "Content-Type: application/json" \
     -d $'{
  "name": "ex6-oracle-sink",
  "config": {
    "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
    "tasks.max": "1",
    "topics.regex": "pub.kiosk.sale-closed.event.v1",
    "connection.url": "jdbc:oracle:thin:@//ora-xe:1521/XEPDB1",
    "connection.user": "kiosk",
    "connection.password": "secret",
    "connection.ds.pool.size": 5,
    "table.name.format": "EX6_SALE_V",
    "table.types": "VIEW",
    "quote.sql.identifiers":"never",
    "auto.create":"false",
    "auto.evolve":"false",
    "pk.mode": "record_key",
    "pk.fields":"id",
    "key.converter":"org.apache.kafka.connect.storage.StringConverter",
    "key.converter.schemas.enable": "false",
    "value.converter":"io.confluent.connect.avro.AvroConverter",
    "value.converter.schema.registry.url": "http://registry-1:8081",
    "value.converter.schemas.enable": "false",
    "transforms": "AsJson,Origin",
    "transforms.AsJson.json.string.field.name": "json_text",
    "transforms.AsJson.json.writer.output.mode": "RELAXED",
    "transforms.AsJson.type": "com.github.cedelsb.kafka.connect.smt.Record2JsonStringConverter$Value",
    "transforms.AsJson.json.writer.handle.logical.types": "true",
    "transforms.Origin.type": "org.apache.kafka.connect.transforms.InsertField$Value",
    "transforms.Origin.offset.field": "offset",
    "transforms.Origin.timestamp.field": "timestamp",
    "transforms.Origin.topic.field": "topicName"
    }
}'
