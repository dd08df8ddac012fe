package acme.flights.modules.setup;

import lombok.Builder;
import lombok.extern.slf4j.Slf4j;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientRequestException;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import java.time.Duration;
import java.util.Map;

@Component
@Profile("setup")
@Slf4j
public class ConnectorBootstrapper implements ApplicationRunner {

    private final WebClient webClient;

    private final String connectHost;

    private final int connectPort;

    private final String dbHost;

    private final int dbPort;

    private final String dbUser;

    private final String dbPassword;

    private final String dbName;

    private final String brokers;

    public ConnectorBootstrapper(WebClient webClient,
                                 @Value("${connect.host}") String connectHost,
                                 @Value("${connect.port}") int connectPort,
                                 @Value("${db.host}") String dbHost,
                                 @Value("${db.port}") int dbPort,
                                 @Value("${db.username}") String dbUser,
                                 @Value("${db.password}") String dbPassword,
                                 @Value("${db.name}") String dbName,
                                 @Value("${kafka.brokers}") String brokers) {
        this.webClient = webClient;
        this.connectHost = connectHost;
        this.connectPort = connectPort;
        this.dbHost = dbHost;
        this.dbPort = dbPort;
        this.dbUser = dbUser;
        this.dbPassword = dbPassword;
        this.dbName = dbName;
        this.brokers = brokers;
    }

    @Override
    public void run(ApplicationArguments args) throws Exception {
        Mono.defer(() -> webClient.post()
                        .uri("http://" + connectHost + ":" + connectPort + "/connectors")
                        .header("Content-Type", "application/json")
                        .bodyValue(flightsConnector())
                        .exchangeToMono(response -> {
                            if (response.statusCode().is2xxSuccessful()) {
                                return response.bodyToMono(String.class)
                                        .doOnNext(body -> log.info("Connector created: {}", body));
                            } else if (response.statusCode() == HttpStatus.CONFLICT) {
                                log.info("Connector is there already");
                                return Mono.empty();
                            } else {
                                return Mono.error(new RuntimeException(
                                        "Connector was refused: " + response.statusCode().value()));
                            }
                        }).then())
                .retryWhen(Retry.fixedDelay(30, Duration.ofSeconds(1))
                        .filter(e -> e instanceof WebClientRequestException))
                .block();
    }

    private Connector flightsConnector() {
        return Connector.builder()
                .name("flights-connector")
                .config(Map.ofEntries(
                        Map.entry("connector.class", "io.debezium.connector.postgresql.PostgresConnector"),
                        Map.entry("database.hostname", dbHost),
                        Map.entry("database.port", String.valueOf(dbPort)),
                        Map.entry("database.user", dbUser),
                        Map.entry("database.password", dbPassword),
                        Map.entry("database.dbname", dbName),
                        Map.entry("database.server.name", "flights-database"),
                        Map.entry("table.include.list", "public.message_outbox"),
                        Map.entry("database.history.kafka.bootstrap.servers", brokers),
                        Map.entry("plugin.name", "pgoutput"),
                        Map.entry("transforms", "outbox"),
                        Map.entry("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter"),
                        Map.entry("transforms.outbox.table.fields.additional.placement", "type:header:proto_type_name,aggregateid:header"),
                        Map.entry("transforms.outbox.route.topic.replacement", "flights.${routedByValue}"),
                        Map.entry("value.converter", "io.debezium.converters.BinaryDataConverter"),
                        Map.entry("topic.prefix", "flights")
                ))
                .build();
    }

    @Builder(toBuilder = true)
    record Connector(String name, Map<String, String> config) {
    }
}
