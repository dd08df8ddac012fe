curl -LvvvX POST "cdc-connect.talk-project.svc:80/connectors" \
  -H "Accept:application/json" -H "Content-Type:application/json" \
  -d '{
      "name": "depot-connector",
      "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": "1",
        "database.hostname": "mysql",
        "database.port": "3306",
        "database.user": "root",
        "database.password": "capture",
        "database.server.id": "184054",
        "database.server.name": "shopserver1",
        "database.whitelist": "depot",
        "database.history.kafka.bootstrap.servers": "talk-cluster-kafka-bootstrap:9092",
        "database.history.kafka.topic": "dbhistory.depot",
        "database.allowPublicKeyRetrieval":"true"
      }
    }'
