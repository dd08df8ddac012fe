echo "waiting for connect on 8083"
while :; do
    code=$(curl -s -o /dev/null -w %{http_code} http://localhost:8083/connectors)
    if [ "$code" -eq 200 ]; then break; fi
    sleep 5
done

# the documents of the lab
curl -X POST \
    -H "Content-Type: application/json" \
    --data '{
    "name": "lab-documents",
    "config": {
        "connector.class": "io.debezium.connector.mongodb.MongoDbConnector",
        "tasks.max": 1,
        "mongodb.hosts" : "lab-mongo-client.lab-dev.svc.cluster.local:27017",
        "mongodb.name" : "lab",
        "mongodb.user" : "admin",
        "mongodb.password" : "<admin_password>",
        "database.history.kafka.bootstrap.servers" : "lab-kafka.lab-dev.svc.cluster.local:9092"
        }
    }' http://$CONNECT_HOST:8083/connectors

# the samples topic goes to MySQL for the report tool
curl -X POST \
    -H "Content-Type: application/json" \
    --data '{
    "name": "samples",
    "config": {
      "connector.class": "io.confluent.connect.jdbc.JdbcSinkConnector",
      "errors.log.include.messages": "true",
      "connection.password": "<password>",
      "topics": "samples",
      "connection.user": "lab",
      "auto.create": "false",
      "connection.url": "jdbc:mysql://lab-mysql.lab-dev.svc.cluster.local:3306/lab",
      "errors.log.enable": "true",
      "insert.mode": "upsert",
      "pk.fields": "id",
      "pk.mode": "record_value"
    }
  }' http://$CONNECT_HOST:8083/connectors
