import { beforeAll, describe, expect, it } from 'vitest';
import { GenericContainer, Network, Wait } from 'testcontainers';
import { startPair, promote } from './pgPair';

const live = process.env.WITH_CONTAINERS === '1' ? describe : describe.skip;

live('promotion of the standby', () => {
  let connectUrl: string;

  const configure = async (databaseHostname: string): Promise<void> => {
    const response = await fetch(`${connectUrl}/connectors/journal-live/config`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
        'tasks.max': '1',
        'database.hostname': databaseHostname,
        'database.port': '5432',
        'database.user': 'journal_cdc',
        'database.password': 'cdc',
        'database.dbname': 'journal',
        'topic.prefix': 'journal-live',
        'plugin.name': 'pgoutput',
        'publication.name': 'journal_entries',
        'publication.autocreate.mode': 'disabled',
        'slot.name': 'journal_live',
        'slot.drop.on.stop': 'false',
        'slot.failover': 'true',
        'schema.include.list': 'journal',
        'table.include.list': 'journal.entries',
        'snapshot.mode': 'no_data',
        'poll.interval.ms': '3',
        'lsn.flush.mode': 'connector',
        'offset.mismatch.strategy': 'trust_offset',
        'exactly.once.support': 'required',
        'transaction.boundary': 'poll',
        'errors.tolerance': 'none',
        predicates: 'isEntry',
        'predicates.isEntry.type': 'org.apache.kafka.connect.transforms.predicates.TopicNameMatches',
        'predicates.isEntry.pattern': 'journal-live\\.journal\\.entries',
        transforms: 'outbox',
        'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
        'transforms.outbox.predicate': 'isEntry',
        'transforms.outbox.table.field.event.id': 'entry_id',
        'transforms.outbox.table.field.event.key': 'partition_key',
        'transforms.outbox.table.field.event.type': 'entry_name',
        'transforms.outbox.table.field.event.payload': 'envelope_text',
        'transforms.outbox.route.by.field': 'topic_route',
        'transforms.outbox.route.topic.regex': '(.*)',
        'transforms.outbox.route.topic.replacement': '$1.entries.v1',
        'transforms.outbox.table.expand.json.payload': 'false',
        'transforms.outbox.table.op.invalid.behavior': 'fatal',
        'transforms.outbox.route.tombstone.on.empty.payload': 'false',
        'transforms.outbox.table.fields.additional.placement':
          'entry_name:header:type,envelope_sha256:header:envelopeHash,stream_revision:header:revision',
      }),
    });
    if (!response.ok) throw new Error(await response.text());
  };

  beforeAll(async () => {
    const network = await new Network().start();
    await startPair(network, { primary: 'pg-a', standby: 'pg-b' });
    const connect = await new GenericContainer('quay.io/debezium/connect:3.6.0.Final')
      .withEnvironment({
        BOOTSTRAP_SERVERS: 'kafka:29092',
        GROUP_ID: 'journal-connect',
        CONFIG_STORAGE_TOPIC: '_journal-configs',
        OFFSET_STORAGE_TOPIC: '_journal-offsets',
        STATUS_STORAGE_TOPIC: '_journal-status',
        KEY_CONVERTER: 'org.apache.kafka.connect.storage.StringConverter',
        VALUE_CONVERTER: 'org.apache.kafka.connect.storage.StringConverter',
        CONNECT_EXACTLY_ONCE_SOURCE_SUPPORT: 'enabled',
      })
      .withNetwork(network)
      .withExposedPorts(8083)
      .withWaitStrategy(Wait.forHttp('/connector-plugins', 8083))
      .start();
    connectUrl = `http://${connect.getHost()}:${connect.getMappedPort(8083)}`;
    await configure('pg-a');
  }, 180_000);

  it('goes on after the promotion', async () => {
    await promote('pg-b');
    await configure('pg-b');
    expect(await (await fetch(`${connectUrl}/connectors/journal-live/status`)).text()).toContain('RUNNING');
  });
});
