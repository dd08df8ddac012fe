package vn.nhatro.cdc;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.CommandLineRunner;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestTemplate;

import java.util.HashMap;
import java.util.Map;

/** Phòng trọ: hợp đồng nằm trong MySQL, thông báo nằm trong MongoDB. */
@Component
public class NhaTroConnectors implements CommandLineRunner {

    @Value("${connect.url}")
    private String connectUrl;
    @Value("${kafka.brokers}")
    private String brokers;

    private final RestTemplate rest = new RestTemplate();

    @Override
    public void run(String... args) {
        mysql("hopdong", "hopdong_db", "outbox", "22001");
        mongo("thongbao-mongo", "thongbao_db", "outbox");
    }

    private void mysql(String prefix, String db, String table, String serverId) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", "mysql");
        config.put("database.port", "3306");
        config.put("database.user", "debezium");
        config.put("database.password", "<DBZ_PASSWORD>");
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", db);
        config.put("table.include.list", db + "." + table);
        config.put("schema.history.internal.kafka.bootstrap.servers", brokers);
        config.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.expand.json.payload", "true");

        // bảng chỉ có id, topic, payload
        config.put("transforms.outbox.table.field.event.key", "id");     // thay cho aggregateid
        config.put("transforms.outbox.table.field.event.type", "topic"); // thay cho type

        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");
        put(prefix + "-mysql", config);
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string",
                "mongodb://debezium:<DBZ_PASSWORD>@mongodb:27017/?authSource=admin&replicaSet=rs0");
        config.put("topic.prefix", db);
        config.put("collection.include.list", db + "." + collection);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type",
                "io.debezium.connector.mongodb.transforms.outbox.MongoEventRouter");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.collection.field.event.id", "_id");
        config.put("transforms.outbox.collection.field.event.key", "aggregateId");
        config.put("transforms.outbox.collection.field.event.payload", "payload");
        config.put("transforms.outbox.collection.expand.json.payload", "true");

        // cần cho expand.json.payload
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        put(name, config);
    }

    private void put(String name, Map<String, Object> config) {
        rest.put(connectUrl + "/connectors/" + name + "/config", config);
    }
}
