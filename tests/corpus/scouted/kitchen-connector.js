const config = {
    "name": "kitchen-connect",
    "config": {
        "connector.class": "io.debezium.connector.mysql.MySqlConnector",
        "tasks.max": "1",
        "database.hostname": "localhost",
        "database.port": "3306",
        "database.user": "kitchen_user",
        "database.password": "secret",
        "database.server.id": "8140231",
        "database.server.name": "kitchenserver1",
        "database.whitelist": "kitchen",
        "table.whitelist": "kitchen.Recipe",
        "database.history.kafka.bootstrap.servers": "localhost:19092",
        "database.history.kafka.topic": "schema-changes.recipe",
        "snapshot.mode": "schema_only"
    }
}

module.exports = config;
