import axios from 'axios';

const prefix = 'stadium';

const config = {
  'connector.class': 'io.debezium.connector.sqlserver.SqlServerConnector',
  'tasks.max': '1',
  'database.hostname': process.env.STADIUM_SQL_HOST,
  'database.port': '1433',
  'database.user': process.env.STADIUM_SQL_USER,
  'database.password': process.env.STADIUM_SQL_PASSWORD,
  'database.names': 'Stadium',
  'database.encrypt': 'true',
  'topic.prefix': prefix,
  'table.include.list': 'dbo.Outbox',
  'schema.history.internal.kafka.bootstrap.servers': process.env.BROKERS,
  'schema.history.internal.kafka.topic': `${prefix}.history`,
  'key.converter': 'org.apache.kafka.connect.storage.StringConverter',
  'value.converter': 'org.apache.kafka.connect.storage.StringConverter',
  transforms: 'outbox,versioned',
  'transforms.outbox.type': 'io.debezium.transforms.outbox.EventRouter',
  'transforms.outbox.table.field.event.id': 'EventId',
  'transforms.outbox.table.field.event.key': 'SeatId',
  'transforms.outbox.table.field.event.payload': 'Body',
  'transforms.outbox.route.by.field': 'Kind',
  'transforms.versioned.type': 'org.apache.kafka.connect.transforms.RegexRouter',
  'transforms.versioned.regex': 'outbox\\.event\\..*',
  'transforms.versioned.replacement': `${prefix}.$1.v1`,
};

async function main() {
  const { data } = await axios.put(`${process.env.CONNECT_URL}/connectors/stadium-outbox/config`, config);
  console.log(data.name, data.tasks);
}

main().catch((e) => {
  console.error(e.response?.data ?? e);
  process.exit(1);
});
