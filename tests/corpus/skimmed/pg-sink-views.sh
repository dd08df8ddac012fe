#!/usr/bin/env bash

# away with the old one
curl -X DELETE http://localhost:8083/connectors/pg-sink-api-views-p3

curl -i -X PUT -H "Content-Type:application/json" \
    http://localhost:8083/connectors/pg-sink-api-views-p3/config \
    -d '{
  "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
  "name": "pg-sink-api-views-p3",
  "input.data.format": "AVRO",
  "connection.url":"jdbc:postgresql://localhost:5432/",
  "connection.host": "localhost",
  "connection.port": "5432",
  "connection.user": "postgres",
  "connection.password": "postgres",
  "db.name": "postgres",
  "dialect.name": "PostgreSqlDatabaseDialect",
  "topics": "api-views",
  "insert.mode": "INSERT",
  "db.timezone": "UTC",
  "auto.create": "false",
  "auto.evolve": "false",
  "pk.mode": "none",
  "tasks.max": "1",
  "schema.compatibility": "FULL",
  "transforms": "mapsToJson",
  "transforms.mapsToJson.fields": "labels,request_headers,response_headers",
  "transforms.mapsToJson.type": "org.example.connect.FieldsToJson$Value",
  "fields.whitelist": "tenant,api_id,host,port,path,labels,started_ms,ended_ms,request_headers,response_headers,status_code"
}'
