curl -X POST http://localhost:8083/connectors \
  -H "Content-Type: application/json" \
  -d '{
    "name": "mysql-grocer-cdc",
    "config": {
      "connector.class": "io.debezium.connector.mysql.MySqlConnector",
      "database.hostname": "10.20.30.41",
      "database.port": "3306",
      "database.user": "admin",
      "database.password": "Grocer!9",
      "database.server.id": "23456",
      "topic.prefix": "demo.cdc.mysql.grocer",
      "database.include.list": "grocer",
      "table.include.list": "grocer.orders,grocer.orderlines,grocer.items",
      "transforms": "route",
      "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
      "transforms.route.regex": "demo.cdc.mysql.grocer.grocer.(.*)",
      "transforms.route.replacement": "demo.cdc.mysql.grocer.$1",
      "key.converter": "org.apache.kafka.connect.json.JsonConverter",
      "value.converter": "org.apache.kafka.connect.json.JsonConverter",
      "key.converter.schemas.enable": "false",
      "value.converter.schemas.enable": "false"
    }
  }'
