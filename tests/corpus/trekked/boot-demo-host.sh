#!/bin/bash
# user data of the demo machine
cd /opt/demo && docker-compose up -d
wait_for connect-site http://localhost:18083

curl -i -X POST -H "Accept:application/json" \
  -H  "Content-Type:application/json" http://localhost:18083/connectors/ \
  -d '{
    "name": "site-mysql-source",
    "config": {
          "connector.class": "io.debezium.connector.mysql.MySqlConnector",
          "database.hostname": "mysql",
          "database.port": "3306",
          "database.user": "mysqluser",
          "database.password": "mysqlpw",
          "database.server.id": "22345",
          "database.server.name": "site01",
          "database.whitelist": "bookings",
          "table.blacklist": "bookings.site01_overbooked",
          "database.history.kafka.bootstrap.servers": "kafka:29092",
          "database.history.kafka.topic": "site_dbhistory" ,
          "include.schema.changes": "false",
          "snapshot.mode": "when_needed",
          "transforms": "unwrap,site,rename,key",
          "transforms.unwrap.type": "io.debezium.transforms.UnwrapFromEnvelope",
          "transforms.site.type":"org.apache.kafka.connect.transforms.InsertField$Value",
          "transforms.site.static.field":"site",
          "transforms.site.static.value":"site01",
          "transforms.rename.type": "org.apache.kafka.connect.transforms.RegexRouter",
          "transforms.rename.regex": "(.*)\\.(.*)\\.(.*)",
          "transforms.rename.replacement": "$1_$3",
          "transforms.key.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
          "transforms.key.field": "id",
          "key.converter": "org.apache.kafka.connect.converters.IntegerConverter"
      }
  }'

wait_for connect-cloud http://localhost:28083
