// node fares.js register | node fares.js follow
// CREATE TABLE public.fare (id bigint PRIMARY KEY, route text, price numeric(10,2), discount numeric(10,2));
const { Kafka } = require('kafkajs');

const config = {
  'connector.class': 'io.debezium.connector.postgresql.PostgresConnector',
  'database.hostname': 'fares-db',
  'database.port': '5432',
  'database.user': 'postgres',
  'database.password': 'postgres',
  'database.dbname': 'fares',
  'topic.prefix': 'fares',
  'plugin.name': 'pgoutput',
  'slot.name': 'fares_feed',
  'table.include.list': 'public.fare',
  'tombstones.on.delete': 'false',
  'key.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'key.converter.schemas.enable': 'false',
  'value.converter': 'org.apache.kafka.connect.json.JsonConverter',
  'value.converter.schemas.enable': 'false',
};

async function register() {
  const answer = await fetch('http://localhost:8083/connectors/fares/config', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(config),
  });
  console.log(answer.status, await answer.text());
}

async function follow() {
  const consumer = new Kafka({ brokers: ['localhost:9092'] }).consumer({ groupId: 'fare-board' });
  await consumer.connect();
  await consumer.subscribe({ topic: 'fares.public.fare', fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const { after } = JSON.parse(message.value.toString());
      if (after) console.log(after.route, (Number(after.price) - Number(after.discount)).toFixed(2));
    },
  });
}

({ register, follow })[process.argv[2]]();
