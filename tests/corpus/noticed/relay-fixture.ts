import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

// Owns fresh, uniquely named containers only; never pointed at an existing database.
assert.equal(process.env.DISPOSABLE_RELAY_FIXTURE, "1");
const runId = `relay-${randomUUID().slice(0, 8)}`;
const temp = resolve(".temp/relay", runId);
const network = `melodia-${runId}`;
const exec = promisify(execFile);
const docker = async (...args: string[]) => (await exec("docker", args)).stdout.trim();
const images = {
	postgres: "postgres:18-alpine",
	nats: "nats:2.14.6",
	debezium: "debezium/server:3.6.2.Final",
};

const startRelay = () =>
	docker(
		"run",
		"-d",
		"--name",
		`${network}-debezium`,
		"--network",
		network,
		"-v",
		`${resolve(temp, "config/application.properties")}:/debezium/config/application.properties:ro`,
		"-v",
		`${resolve(temp, "data")}:/debezium/data`,
		images.debezium,
	);

await mkdir(resolve(temp, "config"), { recursive: true });
await mkdir(resolve(temp, "data"));
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
		"debezium.source.database.user=melodia",
		"debezium.source.database.password=melodia",
		"debezium.source.database.dbname=melodia",
		"debezium.source.plugin.name=pgoutput",
		"debezium.source.slot.name=melodia_relay",
		"debezium.source.publication.name=melodia_relay",
		"debezium.source.publication.autocreate.mode=disabled",
		"debezium.source.topic.prefix=relaytest",
		"debezium.source.table.include.list=public.domain_outbox",
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
		"debezium.transforms.outbox.table.field.event.payload=wire_envelope",
		"debezium.transforms.outbox.table.fields.additional.placement=message_id:header:Nats-Msg-Id",
		"debezium.transforms.outbox.route.by.field=subject",
		"debezium.transforms.outbox.route.topic.replacement=$${routedByValue}",
	].join("\n"),
);

await docker("network", "create", network);
await docker(
	"run", "-d", "--name", `${network}-postgres`, "--network", network, "--network-alias", "postgres",
	"-p", "127.0.0.1:25432:5432",
	"-e", "POSTGRES_USER=melodia", "-e", "POSTGRES_PASSWORD=melodia", "-e", "POSTGRES_DB=melodia",
	images.postgres, "-c", "wal_level=logical",
);
const database = new pg.Client({ host: "127.0.0.1", port: 25432, user: "melodia", password: "melodia", database: "melodia" });
await database.connect();
await database.query(`create table domain_outbox (
	bucket integer not null, message_id uuid not null, kind text not null, subject text not null,
	aggregate_key text not null, payload jsonb not null, wire_envelope text not null,
	created_at timestamptz not null default now(), primary key (bucket, message_id)
) partition by range (bucket);
create table domain_outbox_p0 partition of domain_outbox for values from (0) to (1024);
create publication melodia_relay for table domain_outbox with (publish='insert',publish_via_partition_root=true);`);
await startRelay();
