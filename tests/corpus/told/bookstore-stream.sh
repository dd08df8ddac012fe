#!/bin/sh
# Moves the data of one schema of our MySQL server, bookstore, into topics.
# Only that schema is wanted; the others on the server (payroll, sandbox, ...) are nobody's business here.
curl -i -X POST -H "Accept:application/json" -H "Content-Type:application/json" http://localhost:8083/connectors/ -d '{
   "name": "current-bookstore",
   "config": {
     "connector.class": "io.debezium.connector.mysql.MySqlConnector",
     "tasks.max": "1",
     "database.hostname": "localhost",
     "database.port": "3306",
     "database.user": "streamer",
     "database.password": "changeme",
     "database.server.id": "4",
     "database.server.name": "current",
     "database.history.kafka.bootstrap.servers": "localhost:9092",
     "database.history.kafka.topic": "current.bookstore"
   }
 }'
