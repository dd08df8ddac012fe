package com.sample.outboxdemo.adapter.cdc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.config.Configuration;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

//@Component
public class InProcessCdc {

    private final DebeziumEngine<ChangeEvent<String, String>> engine;
    private final Executor executor;
    private final KafkaTemplate<String, String> template;
    private final ObjectMapper mapper = new ObjectMapper();

    public InProcessCdc() {
        Configuration settings = Configuration.create()
                /* engine */
                .with("connector.class",
                        "io.debezium.connector.postgresql.PostgresConnector")
                .with("offset.storage",
                        "org.apache.kafka.connect.storage.FileOffsetBackingStore")
                .with("offset.storage.file.filename",
                        "/opt/cdc-offset.dat")
                .with("offset.flush.interval.ms", 1000)
                /* connector */
                .with("name", "account-connector")
                .with("database.hostname", "pgdb")
                .with("database.dbname", "postgres")
                .with("database.port", 5432)
                .with("database.user", "postgres")
                .with("database.password", "postgres")
                .with("topic.prefix", "accounts")
                .with("table.include.list", "public.domain_event")
                .with("plugin.name", "pgoutput")
                /* router */
                .with("transforms", "outbox")
                .with("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter")
                .with("transforms.outbox.table.field.event.id", "event_id")
                .with("transforms.outbox.table.field.event.key", "aggregate_id")
                .with("transforms.outbox.route.by.field", "aggregate_type")
                .with("transforms.outbox.table.fields.additional.placement", "gdpr:header,channel:header:client_id:header,event_type::header")
//                .with("schema.history.internal",
//                        "io.debezium.storage.file.history.FileSchemaHistory")
//                .with("schema.history.internal.file.filename",
//                        "/opt/cdc-schema.dat")
                .build();
        this.engine = DebeziumEngine.create(Json.class)
                .using(settings.asProperties())
                .notifying(this::forward)
                .build();

        this.executor = Executors.newSingleThreadExecutor();
        executor.execute(this.engine);

        // producer
        this.template = new KafkaTemplate<>(
                new DefaultKafkaProducerFactory<>(producerSettings())
        );
    }

    private Map<String, Object> producerSettings() {
        Map<String, Object> props = new HashMap<>();
        props.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, "kafka:9092");
        props.put(ProducerConfig.LINGER_MS_CONFIG, 10);
        props.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        props.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class);
        return props;
    }

    private void forward(ChangeEvent<String, String> event) {
        System.out.println("RECEIVED:\n" + event);
        System.out.println("Key:\n" + event.key());
        System.out.println("Value:\n" + event.value());
        try {
            Map<String, Object> value = mapper.readValue(event.value(), Map.class);
            Map<String, Object> row = (Map<String, Object>) ((Map<String, Object>) value.get("payload")).get("after");
            String id = (String) row.get("event_id");
            ProducerRecord<String, String> record = new ProducerRecord<>(
                    "account.events",
                    null,
                    id,
                    mapper.writeValueAsString(row),
                    List.of(
                            new RecordHeader("clientId", row.get("client_id").toString().getBytes()),
                            new RecordHeader("gdpr", row.get("gdpr").toString().getBytes()),
                            new RecordHeader("channel", row.get("channel").toString().getBytes())
                    )
            );
//            this.template.send(record);
        } catch (JsonProcessingException e) {
            throw new RuntimeException(e);
        }
    }
}
