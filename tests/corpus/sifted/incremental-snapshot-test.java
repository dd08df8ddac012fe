package org.example.streams.it;

import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.NONE, classes = SnapshotTestBase.Wiring.class, properties = {
		// the same for every database
		"debezium.properties.transforms=plain",
		"debezium.properties.transforms.plain.type=io.debezium.transforms.ExtractNewRecordState",
		"debezium.properties.transforms.plain.drop.tombstones=true",
		"debezium.properties.transforms.plain.delete.handling.mode=rewrite",
		"debezium.properties.transforms.plain.add.headers=op,pos",
		// "debezium.properties.transforms.plain.add.fields=db,op,table",

		"debezium.properties.schema.history.internal=io.debezium.relational.history.MemorySchemaHistory",
		"debezium.properties.offset.storage=org.apache.kafka.connect.storage.MemoryOffsetBackingStore",

		"debezium.properties.key.converter.schemas.enable=false",
		"debezium.properties.value.converter.schemas.enable=false",

		"debezium.properties.topic.prefix=it-run",
		"debezium.properties.name=it-source",
		"debezium.properties.database.server.id=50226",

		// MySQL only
		"debezium.properties.connector.class=io.debezium.connector.mysql.MySqlConnector",
		"debezium.properties.database.user=root", // writes watermarks to the signal table
		"debezium.properties.database.password=debezium",
		"debezium.properties.database.hostname=localhost",
		"debezium.properties.snapshot.mode=schema_only",
		"debezium.properties.signal.data.collection=garden.signals",
		"debezium.properties.table.include.list=garden.plants,garden.beds,garden.signals",

		"app.datasource.username=root",
		"app.datasource.password=debezium",
})
@DirtiesContext
public class IncrementalSnapshotTest extends SnapshotTestBase implements GardenContainer {

	@DynamicPropertySource
	static void ports(DynamicPropertyRegistry registry) {
		registry.add("debezium.properties.database.port", () -> GardenContainer.port());
		registry.add("app.datasource.url", () -> "jdbc:mysql://localhost:" + GardenContainer.port() + "/garden");
	}

	protected void ask(String signal, String... tables) {
		String names = Stream.of(tables).map(t -> "\"garden." + t + "\"").collect(Collectors.joining(","));
		jdbc.update("INSERT INTO signals (id, type, data) VALUES ('it-1', '" + signal + "',"
				+ "'{\"data-collections\": [" + names + "],\"type\":\"incremental\"}')");
	}

	protected String plants() {
		return "it-run.garden.plants";
	}

	protected String positionHeader() {
		return "__pos";
	}
}
