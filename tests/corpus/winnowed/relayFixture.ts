import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import pg from 'pg';
import { docker, launch } from './docker';

const images = {
  postgres: 'postgres:18.0',
  debezium: 'quay.io/debezium/server:3.5.1.Final',
};

/** Throw-away relay: Postgres -> Debezium Server -> JetStream (on the host, port 44310). */
export async function relayFixture(): Promise<{ database: pg.Client; stop: () => Promise<void> }> {
  const temp = await mkdtemp(resolve(tmpdir(), 'relay-'));
  await mkdir(resolve(temp, 'config'));
  await mkdir(resolve(temp, 'data'));
  await writeFile(
    resolve(temp, 'config/application.properties'),
    [
      'debezium.sink.type=nats-jetstream',
      'debezium.sink.nats-jetstream.url=nats://host.docker.internal:44310',
      'debezium.sink.nats-jetstream.create-stream=false',
      'debezium.sink.nats-jetstream.async.enabled=false',
      'debezium.source.connector.class=io.debezium.connector.postgresql.PostgresConnector',
      'debezium.source.database.hostname=pg',
      'debezium.source.database.port=5432',
      'debezium.source.database.user=fixture',
      'debezium.source.database.password=fixture',
      'debezium.source.database.dbname=fixture',
      'debezium.source.plugin.name=pgoutput',
      'debezium.source.slot.name=berth_fixture',
      'debezium.source.publication.name=berth_fixture',
      'debezium.source.publication.autocreate.mode=disabled',
      'debezium.source.topic.prefix=fixture',
      'debezium.source.table.include.list=public.berth_outbox',
      'debezium.source.snapshot.mode=initial',
      'debezium.source.offset.storage=org.apache.kafka.connect.storage.FileOffsetBackingStore',
      'debezium.source.offset.storage.file.filename=/debezium/data/offsets.dat',
      'debezium.source.offset.flush.interval.ms=0',
      'debezium.source.max.batch.size=8',
      'debezium.source.max.queue.size=24',
      'debezium.source.poll.interval.ms=150',
      'debezium.format.value=simplestring',
      'debezium.format.key=simplestring',
      'debezium.transforms=outbox',
      'debezium.transforms.outbox.type=io.debezium.transforms.outbox.EventRouter',
      'debezium.transforms.outbox.table.field.event.id=message_id',
      'debezium.transforms.outbox.table.field.event.key=aggregate_key',
      'debezium.transforms.outbox.table.field.event.payload=envelope_text',
      'debezium.transforms.outbox.route.by.field=subject',
      'debezium.transforms.outbox.route.topic.replacement=$${routedByValue}',
    ].join('\n'),
  );

  await launch('relay-pg', ['--network-alias', 'pg', '-p', '127.0.0.1:25440:5432',
    '-e', 'POSTGRES_USER=fixture', '-e', 'POSTGRES_PASSWORD=fixture', '-e', 'POSTGRES_DB=fixture',
    images.postgres, '-c', 'wal_level=logical']);
  const database = new pg.Client('postgresql://fixture:fixture@127.0.0.1:25440/fixture');
  await database.connect();
  await database.query(`
    create table berth_outbox (
      bucket integer not null, message_id uuid not null, subject text not null,
      aggregate_key text not null, envelope_text text not null,
      primary key (bucket, message_id)
    ) partition by range (bucket);
    create table berth_outbox_p0 partition of berth_outbox for values from (0) to (512);
    create table berth_outbox_p1 partition of berth_outbox for values from (512) to (1024);
    create publication berth_fixture for table berth_outbox
      with (publish = 'insert', publish_via_partition_root = true);`);

  await launch('relay-dbz', ['-v', `${resolve(temp, 'config')}:/debezium/config:ro`,
    '-v', `${resolve(temp, 'data')}:/debezium/data`, images.debezium]);
  return { database, stop: async () => { await docker('rm', '-f', 'relay-dbz', 'relay-pg'); } };
}
