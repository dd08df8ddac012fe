package m131_relay.practice;

/**
 * Задача 07: CDC через Debezium.
 *
 * ЗАДАНИЕ
 *   1) Добавьте в docker-compose.yml базу и Kafka Connect:
 *        db:
 *          image: postgres:16-alpine
 *          command: ["postgres", "-c", "wal_level=logical"]
 *        connect:
 *          image: debezium/connect:2.7
 *          ports: ["8083:8083"]
 *          environment:
 *            BOOTSTRAP_SERVERS: kafka:9092
 *            GROUP_ID: connect-cluster
 *            CONFIG_STORAGE_TOPIC: connect-configs
 *            OFFSET_STORAGE_TOPIC: connect-offsets
 *            STATUS_STORAGE_TOPIC: connect-status
 *   2) Опишите коннектор для таблицы outbox:
 *        {
 *          "name": "todo-outbox",
 *          "config": {
 *            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
 *            "database.hostname": "db", "database.port": "5432",
 *            "database.user": "app", "database.password": "secret",
 *            "database.dbname": "todo",
 *            "topic.prefix": "todo",
 *            "table.include.list": "public.outbox",
 *            "transforms": "outbox",
 *            "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
 *            "transforms.outbox.route.by.field": "topic",
 *            "transforms.outbox.table.field.event.key": "aggregate_id",
 *            "transforms.outbox.table.field.event.payload": "payload",
 *            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
 *            "value.converter.schemas.enable": "false"
 *          }
 *        }
 *   3) Команды:
 *        curl -X POST -H "Content-Type: application/json" --data @connector.json \
 *             http://localhost:8083/connectors
 *        curl http://localhost:8083/connectors/todo-outbox/status
 *
 * ИТОГ: строка в outbox сама становится сообщением в топике todo.created.
 *
 * ПОДСКАЗКА: имя топика берётся из поля таблицы, ключ - из aggregate_id, тело - из payload.
 */
public class Task07 {
    public static void main(String[] args) {
        System.out.println("TODO: docker-compose.yml, connector.json, comparison");
    }
}
