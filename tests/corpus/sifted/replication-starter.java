package org.example.mirror;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestTemplate;

@Component
public class ReplicationStarter {

    @Value("${mirror.connect.base}")
    String connectBase;

    private final RestTemplate rest;

    public ReplicationStarter(RestTemplate rest) {
        this.rest = rest;
    }

    /** Registers the reader of the HR database and the writer of its mirror. */
    public ResponseEntity<String> begin() {
        try {
            rest.postForEntity(connectBase + "/connectors", reader(), String.class);
            rest.postForEntity(connectBase + "/connectors", writer(), String.class);
            return ResponseEntity.ok("both registered");
        } catch (Exception e) {
            return ResponseEntity.status(502).body("Connect said: " + e.getMessage());
        }
    }

    public void end() {
        rest.delete(connectBase + "/connectors/hr-reader");
        rest.delete(connectBase + "/connectors/hr-writer");
    }

    private String reader() {
        return "{"
                + "\"name\":\"hr-reader\","
                + "\"config\":{"
                + "\"connector.class\":\"io.debezium.connector.postgresql.PostgresConnector\","
                + "\"database.hostname\":\"hr-db\","
                + "\"database.port\":\"5432\","
                + "\"database.user\":\"hr\","
                + "\"database.password\":\"password\","
                + "\"database.dbname\":\"hr\","
                + "\"database.server.name\":\"hrsrv\","
                + "\"table.include.list\":\"public.staff\","
                + "\"plugin.name\":\"pgoutput\","
                + "\"database.history.kafka.bootstrap.servers\":\"broker:9092\","
                + "\"database.history.kafka.topic\":\"hr-ddl\""
                + "}}";
    }

    private String writer() {
        return "{"
                + "\"name\":\"hr-writer\","
                + "\"config\":{"
                + "\"connector.class\":\"io.confluent.connect.jdbc.JdbcSinkConnector\","
                + "\"connection.url\":\"jdbc:postgresql://mirror-db:5432/hr_mirror\","
                + "\"connection.user\":\"hr\","
                + "\"connection.password\":\"password\","
                + "\"auto.create\":\"true\","
                + "\"auto.evolve\":\"true\","
                + "\"topics\":\"hrsrv.public.staff\""
                + "}}";
    }
}
