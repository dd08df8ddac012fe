package org.example.media;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.MediaType;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.logging.Logger;

import io.quarkus.runtime.StartupEvent;
import io.vertx.core.json.JsonObject;

// only meant for local development
@ApplicationScoped
public class RegisterConnectorAtStartup {

    private static final String CONFIG_PREFIX = "cdc-setup.";

    @ConfigProperty(name = CONFIG_PREFIX + "postgresHost", defaultValue = "localhost")
    String postgresHost;

    @ConfigProperty(name = CONFIG_PREFIX + "postgresPort", defaultValue = "5432")
    String postgresPort;

    @ConfigProperty(name = CONFIG_PREFIX + "postgresDbName", defaultValue = "postgres")
    String postgresDbName;

    @ConfigProperty(name = CONFIG_PREFIX + "postgresUser", defaultValue = "postgres")
    String postgresUser;

    @ConfigProperty(name = CONFIG_PREFIX + "postgresPassword", defaultValue = "postgres")
    String postgresPassword;

    @Inject
    @RestClient
    ConnectService service;

    @Inject
    Logger logger;

    public void onStart(@Observes StartupEvent ev) {
        logger.info("registering the connector for the outbox table");
        try {
            service.register(getBody());
        } catch (ConflictException e) {
            // was there before, fine
        }
    }

    @RegisterRestClient
    public interface ConnectService {

        @POST
        @Path("/connectors")
        @Consumes(MediaType.APPLICATION_JSON)
        void register(JsonObject body);
    }

    private JsonObject getBody() {
        JsonObject config1 = JsonObject.of(
                // connector and decoder:
                "connector.class", "io.debezium.connector.postgresql.PostgresConnector",
                "plugin.name", "pgoutput",
                // database:
                "database.hostname", postgresHost,
                "database.port", postgresPort,
                "database.user", postgresUser,
                "database.password", postgresPassword,
                "database.dbname", postgresDbName);
        JsonObject config2 = JsonObject.of(
                // table:
                "table.include.list", "public.outboxevent",
                // topics:
                "topic.prefix", "media-service-outbox",
                "topic.creation.default.partitions", "2",
                "topic.creation.default.replication.factor", "1",
                // transforms:
                "transforms", "outbox",
                "transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");

        return JsonObject.of("name", "media-service-outbox-connector",
                "config", config1.mergeIn(config2));
    }

    public static class ConflictException extends RuntimeException {
    }
}
