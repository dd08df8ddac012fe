package example.delivery_service.outbox;

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
public class ConnectConfigurer {

    private final String connectUrl;
    private final String connectorName;
    private final String topicsPrefix;
    private final String tableIncludeList;
    private final String outboxRouteTopic;
    private final String pluginName;
    private final String dbHost;
    private final int dbPort;
    private final String dbName;
    private final String dbUser;
    private final String dbPassword;

    private final RestTemplate restTemplate = new RestTemplate();

    public ConnectConfigurer(
            @Value("${cdc.connect.url}") String connectUrl,
            @Value("${cdc.connector.name}") String connectorName,
            @Value("${cdc.connector.topics-prefix}") String topicsPrefix,
            @Value("${cdc.connector.table-include-list}") String tableIncludeList,
            @Value("${cdc.connector.outbox-route-topic}") String outboxRouteTopic,
            @Value("${cdc.connector.plugin-name}") String pluginName,
            @Value("${cdc.database.host}") String dbHost,
            @Value("${cdc.database.port}") int dbPort,
            @Value("${cdc.database.name}") String dbName,
            @Value("${cdc.database.user}") String dbUser,
            @Value("${cdc.database.password}") String dbPassword
    ) {
        this.connectUrl = connectUrl;
        this.connectorName = connectorName;
        this.topicsPrefix = topicsPrefix;
        this.tableIncludeList = tableIncludeList;
        this.outboxRouteTopic = outboxRouteTopic;
        this.pluginName = pluginName;
        this.dbHost = dbHost;
        this.dbPort = dbPort;
        this.dbName = dbName;
        this.dbUser = dbUser;
        this.dbPassword = dbPassword;
    }

    public void applyConfig() {
        String url = connectUrl + "/connectors/" + connectorName + "/config";
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        try {
            ResponseEntity<String> response =
                    restTemplate.exchange(url, HttpMethod.PUT, new HttpEntity<>(connectorConfig(), headers), String.class);
            log.info("Конфигурация коннектора применена: {}", response.getBody());
        } catch (HttpClientErrorException e) {
            throw new RuntimeException("Коннектор не настроен", e);
        }
    }

    private Map<String, String> connectorConfig() {
        Map<String, String> config = new LinkedHashMap<>();
        config.put("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
        config.put("database.hostname", dbHost);
        config.put("database.port", String.valueOf(dbPort));
        config.put("database.user", dbUser);
        config.put("database.password", dbPassword);
        config.put("database.dbname", dbName);
        // --- Топики ---
        // Префикс имён топиков этого коннектора
        config.put("topic.prefix", topicsPrefix);
        // Какие таблицы читать ("схема.таблица", через запятую)
        config.put("table.include.list", tableIncludeList);
        // --- Репликация PostgreSQL ---
        // Встроенный плагин pgoutput: есть с версии 10, ставить ничего не нужно
        config.put("plugin.name", pluginName);

        // --- Преобразования (SMT) ---
        config.put("transforms", "outbox");
        config.put("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
        // Топик, куда уходят все сообщения
        config.put("transforms.outbox.route.topic.replacement", outboxRouteTopic);
        // Какие столбцы положить в заголовки
        config.put("transforms.outbox.table.fields.additional.placement", "eventtype:header:__TypeId__,traceparent:header:traceparent");
        // Тело сообщения - чистый JSON из payload
        config.put("transforms.outbox.table.expand.json.payload", "true");
        return config;
    }
}
