package training.pagewatch.crawler.service.connect;

import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.*;
import org.springframework.stereotype.Service;
import org.springframework.web.client.HttpClientErrorException;
import org.springframework.web.client.RestTemplate;

import java.util.LinkedHashMap;
import java.util.Map;

@Service
@Slf4j
public class ConnectRegistrationService {

    private final String connectUrl;
    private final String connectorName;
    private final String prefix;
    private final String tables;
    private final String targetTopic;
    private final String plugin;
    private final String pgHost;
    private final int pgPort;
    private final String pgName;
    private final String pgUser;
    private final String pgPassword;

    private final RestTemplate restTemplate = new RestTemplate();

    public ConnectRegistrationService(
        @Value("${cdc.connect.url}") String connectUrl,
        @Value("${cdc.connector.name}") String connectorName,
        @Value("${cdc.connector.prefix}") String prefix,
        @Value("${cdc.connector.tables}") String tables,
        @Value("${cdc.connector.target-topic}") String targetTopic,
        @Value("${cdc.connector.plugin}") String plugin,
        @Value("${cdc.database.host}") String pgHost,
        @Value("${cdc.database.port}") int pgPort,
        @Value("${cdc.database.name}") String pgName,
        @Value("${cdc.database.user}") String pgUser,
        @Value("${cdc.database.password}") String pgPassword
    ) {
        this.connectUrl = connectUrl;
        this.connectorName = connectorName;
        this.prefix = prefix;
        this.tables = tables;
        this.targetTopic = targetTopic;
        this.plugin = plugin;
        this.pgHost = pgHost;
        this.pgPort = pgPort;
        this.pgName = pgName;
        this.pgUser = pgUser;
        this.pgPassword = pgPassword;
    }

    public void ensureConnector() {
        if (exists(connectorName)) {
            log.info("'{}' is registered already", connectorName);
            return;
        }

        HttpEntity<Map<String, Object>> request = request(connectorName, outboxConfig());

        try {
            ResponseEntity<String> response = restTemplate.postForEntity(connectUrl + "/connectors", request, String.class);
            log.info("Registered: {}", response.getBody());
        } catch (HttpClientErrorException e) {
            if (e.getStatusCode() == HttpStatus.CONFLICT) {
                log.info("Somebody else was faster (409)");
            } else {
                log.error("status={}, body={}", e.getStatusCode(), e.getResponseBodyAsString(), e);
                throw new RuntimeException("No connector", e);
            }
        }
    }

    private boolean exists(String name) {
        try {
            return restTemplate.getForEntity(connectUrl + "/connectors/" + name, String.class).getStatusCode() == HttpStatus.OK;
        } catch (HttpClientErrorException.NotFound e) {
            return false;
        } catch (Exception e) {
            log.warn("Connect did not answer", e);
            return false;
        }
    }

    private HttpEntity<Map<String, Object>> request(String connectorName, Map<String, String> config) {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);

        Map<String, Object> body = new LinkedHashMap<>();
        body.put("name", connectorName);
        body.put("config", config);

        return new HttpEntity<>(body, headers);
    }

    private Map<String, String> outboxConfig() {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put("database.hostname", pgHost);
        config.put("database.port", String.valueOf(pgPort));
        config.put("database.user", pgUser);
        config.put("database.password", pgPassword);
        config.put("database.dbname", pgName);
        // --- Топики ---
        // С этого начинаются имена топиков коннектора
        config.put("topic.prefix", prefix);
        // Таблицы в виде "schema.table"
        config.put("table.include.list", tables);
        // --- Репликация ---
        // pgoutput есть в самом PostgreSQL
        config.put("plugin.name", plugin);

        // --- SMT ---
        config.put("transforms", "outbox");
        // обработчик для outbox
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        // всё уходит в один топик
        config.put("transforms.outbox.route.topic.replacement", targetTopic);
        // id строки попадает в заголовок
        config.put("transforms.outbox.table.fields.additional.placement", "id:header:event-id");
        // payload как JSON, а не как строка
        config.put("transforms.outbox.table.expand.json.payload", "true");
        return config;
    }
}
