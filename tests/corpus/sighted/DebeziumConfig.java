package com.example.campus.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.debezium.engine.ChangeEvent;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.format.Json;
import lombok.RequiredArgsConstructor;
import lombok.extern.slf4j.Slf4j;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;

@Slf4j
@Configuration
@RequiredArgsConstructor
public class DebeziumConfig {

	private static final String BROKERS = "localhost:9092,localhost:9093,localhost:9094";

	private final KafkaTemplate<String, String> kafka;
	private final ObjectMapper mapper = new ObjectMapper();

	@Bean
	public io.debezium.config.Configuration letterBoxConnector() {
		return io.debezium.config.Configuration.create()
			.with("name", "letterbox")
			.with("connector.class", "io.debezium.connector.mysql.MySqlConnector")
			.with("database.hostname", "localhost")
			.with("database.port", "3306")
			.with("database.user", "root")
			.with("database.password", "root")
			.with("database.server.id", "71")
			.with("topic.prefix", "clubs")
			.with("database.include.list", "clubs")
			.with("table.include.list", "clubs.letter_box")
			// 1.x
			.with("database.history.kafka.bootstrap.servers", BROKERS)
			.with("database.history.kafka.topic", Topics.LETTER_BOX)
			// 2.x
			.with("bootstrap.servers", BROKERS)
			.with("schema.history.internal", "io.debezium.storage.kafka.history.KafkaSchemaHistory")
			.with("schema.history.internal.kafka.topic", "ddl.clubs")
			.with("schema.history.internal.kafka.bootstrap.servers", BROKERS)
			.with("offset.storage.file.filename", "./letterbox.offsets")
			.build();
	}

	@Bean
	public DebeziumEngine<ChangeEvent<String, String>> letterBoxEngine(io.debezium.config.Configuration letterBoxConnector) {
		return DebeziumEngine.create(Json.class)
			.using(letterBoxConnector.asProperties())
			.notifying(this::forward)
			.build();
	}

	private void forward(ChangeEvent<String, String> event) {
		try {
			if (event.value() == null) {
				return;
			}
			JsonNode payload = mapper.readTree(event.value()).get("payload");
			kafka.send(Topics.LETTER_BOX, event.key(), mapper.writeValueAsString(payload));
		} catch (Exception e) {
			log.error("could not forward: {}", e.getMessage(), e);
		}
	}
}
