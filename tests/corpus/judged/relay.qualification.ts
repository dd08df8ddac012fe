// Runs the real relay (Debezium Server) against throw-away containers and checks what arrives in JetStream.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import pg from "pg";
import { docker, launch } from "./containers";

const temp = await mkdtemp("/tmp/relay-");
const network = "relay-qualification";

try {
	await writeFile(
		resolve(temp, "config/application.properties"),
		[
			"debezium.sink.type=nats-jetstream",
			"debezium.sink.nats-jetstream.url=nats://host.docker.internal:44223",
			"debezium.sink.nats-jetstream.create-stream=false",
			"debezium.sink.nats-jetstream.async.enabled=false",
			"debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector",
			"debezium.source.database.hostname=postgres",
			"debezium.source.database.port=5432",
			"debezium.source.database.user=scratch",
			"debezium.source.database.password=scratch-container-only",
			"debezium.source.database.dbname=scratch",
			"debezium.source.plugin.name=pgoutput",
			"debezium.source.slot.name=relay_check",
			"debezium.source.publication.name=relay_check",
			"debezium.source.publication.autocreate.mode=disabled",
			"debezium.source.topic.prefix=check",
			"debezium.source.table.include.list=public.work_outbox",
			"debezium.source.snapshot.mode=initial",
			"debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore",
			"debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat",
			"debezium.source.offset.flush.interval.ms=0",
			"debezium.source.max.batch.size=16",
			"debezium.source.max.queue.size=32",
			"debezium.source.max.queue.size.in.bytes=2097152",
			"debezium.source.poll.interval.ms=100",
			"debezium.format.value=simplestring",
			"debezium.format.key=simplestring",
			"debezium.format.header=json",
			"debezium.format.header.class=org.apache.kafka.connect.storage.SimpleHeaderConverter",
			"debezium.transforms=outbox",
			"debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter",
			"debezium.transforms.outbox.table.field.event.id=message_id",
			"debezium.transforms.outbox.table.field.event.key=aggregate_key",
			"debezium.transforms.outbox.table.field.event.payload=envelope_text",
			"debezium.transforms.outbox.table.fields.additional.placement=message_id:header:Nats-Msg-Id",
			"debezium.transforms.outbox.route.by.field=subject",
			"debezium.transforms.outbox.route.topic.replacement=$${routedByValue}",
		].join("\n"),
	);
	await docker("network", "create", network);
	await launch("relay-postgres", [
		"--network", network, "--network-alias", "postgres", "-p", "127.0.0.1:25432:5432",
		"-e", "POSTGRES_USER=scratch", "-e", "POSTGRES_PASSWORD=scratch-container-only", "-e", "POSTGRES_DB=scratch",
		"postgres", "-c", "wal_level=logical", "-c", "max_slot_wal_keep_size=128MB",
	]);
	const database = new pg.Client({ host: "127.0.0.1", port: 25432, user: "scratch", password: "scratch-container-only", database: "scratch" });
	await database.connect();
	await database.query(`create table work_outbox (
		bucket integer not null, message_id uuid not null, subject text not null,
		aggregate_key text not null, occurred_at timestamptz not null, payload jsonb not null,
		envelope_text text not null, primary key (bucket, message_id)
	) partition by range (bucket);
	create table work_outbox_p0 partition of work_outbox for values from (0) to (512);
	create table work_outbox_p1 partition of work_outbox for values from (512) to (1024);
	create publication relay_check for table work_outbox with (publish='insert',publish_via_partition_root=true);`);
	// ... inserts rows, starts and kills the relay, compares subject, bytes and Nats-Msg-Id
} finally {
	await rm(temp, { recursive: true, force: true });
}
