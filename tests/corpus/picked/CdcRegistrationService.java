package example.chatter.cdc;

import java.util.HashMap;
import java.util.Map;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

/** Đăng ký các connector của Debezium khi ứng dụng khởi động. */
@Service
public class CdcRegistrationService {

    private static final Logger LOG = LoggerFactory.getLogger(CdcRegistrationService.class);

    private final RestTemplate rest;

    @Value("${cdc.connect-url:http://localhost:8100}")
    private String connectUrl;

    @Value("${spring.kafka.bootstrap-servers:kafka:9092}")
    private String bootstrap;

    public CdcRegistrationService(RestTemplate rest) {
        this.rest = rest;
    }

    @EventListener(ApplicationReadyEvent.class)
    public void registerAll() {
        // MySQL: mỗi connector cần một server.id riêng
        mysql("account-service", "account-service", "outbox", "184054");
        mysql("contact-service", "contact-service", "outbox", "184055");

        // MongoDB
        mongo("talk-service-connector", "talk-service", "outbox");
        mongo("notice-service-connector", "notice-service", "outbox");
    }

    private void mysql(String prefix, String db, String table, String serverId) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        config.put("tasks.max", "1");
        config.put("database.hostname", "mysql");
        config.put("database.port", "3306");
        config.put("database.user", "debezium");
        config.put("database.password", "dbz");
        config.put("database.server.id", serverId);
        config.put("topic.prefix", prefix);
        config.put("database.include.list", db);
        config.put("table.include.list", db + "." + table);
        config.put("schema.history.internal.kafka.bootstrap.servers", bootstrap);
        config.put("schema.history.internal.kafka.topic", "schema-changes." + prefix);

        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        config.put("transforms.outbox.route.topic.replacement", "${routedByValue}");
        config.put("transforms.outbox.route.by.field", "topic");
        config.put("transforms.outbox.table.field.event.payload", "payload");
        config.put("transforms.outbox.table.field.event.id", "id");
        config.put("transforms.outbox.table.expand.json.payload", "true");
        // bảng có cột aggregate_id, nhưng khoá của message lấy từ cột id của dòng
        config.put("transforms.outbox.table.field.event.key", "id");
        config.put("transforms.outbox.table.field.event.type", "topic");

        config.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        config.put("value.converter.schemas.enable", "false");
        register(prefix + "-connector", config);
    }

    private void mongo(String name, String db, String collection) {
        Map<String, Object> config = new HashMap<>();
        config.put("connector.class", "io.debezium.connector.mongodb.MongoDbConnector");
        config.put("tasks.max", "1");
        config.put("mongodb.connection.string",
                "mongodb://debezium:dbz@mongodb:27017/?authSource=admin&replicaSet=rs0");
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

        // bắt buộc khi mở rộng payload thành JSON
        config.put("value.converter", "org.apache.kafka.connect.storage.StringConverter");
        register(name, config);
    }

    private void register(String name, Map<String, Object> config) {
        String url = connectUrl + "/connectors/" + name;
        try {
            if (rest.getForEntity(url, String.class).getStatusCode() == HttpStatus.OK) {
                rest.put(url + "/config", config);
                return;
            }
        }
        catch (Exception e) {
            LOG.info("{} chưa có", name);
        }

        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        rest.postForEntity(connectUrl + "/connectors",
                new HttpEntity<>(Map.of("name", name, "config", config), headers), String.class);
        LOG.info("{} đã đăng ký", name);
    }
}
