package org.example.cinema.shared.cdc;

import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;

import java.util.LinkedHashMap;
import java.util.Map;

@Slf4j
@Service
public class CinemaConnectorStarter {

    @Value("${cdc.connect:localhost:8083}")
    private String connect;

    @Value("${cdc.connector:cinema-saga}")
    private String connector;

    @Value("${cdc.db.host:cinema-mysql}")
    private String host;

    @Value("${cdc.db.user:root}")
    private String user;

    @Value("${cdc.db.password:123456}")
    private String password;

    @Value("${cdc.db.server-id:7}")
    private String serverId;

    @Value("${cdc.history.bootstrap:broker:9092}")
    private String historyBootstrap;

    private final RestTemplate http = new RestTemplate();

    @EventListener(ApplicationReadyEvent.class)
    public void ready() {
        // not in the start-up thread, Connect may still be coming up
        new Thread(this::put).start();
    }

    private void put() {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        http.exchange("http://" + connect + "/connectors/" + connector + "/config", HttpMethod.PUT,
                new HttpEntity<>(config(), headers), Map.class);
        log.info("{} is up to date", connector);
    }

    private Map<String, String> config() {
        Map<String, String> c = new LinkedHashMap<>();
        c.put("connector.class", "io.debezium.connector.mysql.MySqlConnector");
        c.put("tasks.max", "1");
        c.put("database.hostname", host);
        c.put("database.port", "3306");
        c.put("database.user", user);
        c.put("database.password", password);
        c.put("database.server.id", serverId);
        c.put("topic.prefix", "cinema");
        c.put("database.include.list", "tickets_db,seats_db,cash_db,films_db");
        c.put("table.include.list", "tickets_db.letters,seats_db.letters,cash_db.letters,films_db.letters");
        c.put("schema.history.internal.kafka.bootstrap.servers", historyBootstrap);
        c.put("schema.history.internal.kafka.topic", "_ddl_cinema");
        c.put("schema.history.internal.skip.unparseable.ddl", "true");
        c.put("transforms", "letters");
        c.put("transforms.letters.type", "io.debezium.transforms.outbox.EventRouter");
        c.put("transforms.letters.table.expand.json.payload", "true");
        c.put("transforms.letters.table.field.event.id", "id");
        c.put("transforms.letters.table.field.event.key", "root_id");
        c.put("transforms.letters.table.field.event.type", "kind");
        c.put("transforms.letters.table.field.event.payload", "content");
        c.put("transforms.letters.table.fields.additional.placement", "kind:header:kind");
        c.put("transforms.letters.route.by.field", "root_kind");
        c.put("transforms.letters.route.topic.replacement", "${routedByValue}.events");
        c.put("key.converter", "org.apache.kafka.connect.storage.StringConverter");
        c.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        c.put("value.converter.schemas.enable", "false");
        c.put("tombstones.on.delete", "false");
        c.put("include.schema.changes", "false");
        return c;
    }
}
