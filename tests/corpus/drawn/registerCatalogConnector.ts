import { readEnvironment } from './lib/readEnvironment';
readEnvironment();
import { settings } from '../src/settings';
import axios from 'axios';


(async (): Promise<void> => {
  try {
    const { protocol, host, port } = settings.connect;
    const target = `${protocol}://${host}:${port}/connectors/`;
    const headers = {
      'Content-Type': 'application/json',
      'Accept': 'application/json'
    };

    const answer = await axios.post(target, build(), { headers });

    console.log(answer.status);
  } catch (e) {
    console.error('connector was not created:', e);
  }

  function build(): object {
    const { database, username, password, host, port } = settings.db;

    const asHeaders = [
      'message_id:header:messageId',
      'message_type:header:messageType',
      'message_name:header:messageName',
      'correlation_id:header:correlationId',
      'aggregate_name:header:aggregateName',
      'context_name:header:contextName',
    ].join(',');

    return {
      "name": "catalog-seed-outbox-connector",
      "config": {
        "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
        "plugin.name": "pgoutput",
        "tasks.max": "1",
        "database.hostname": host,
        "database.server.name": host,
        "database.port": port,
        "database.user": username,
        "database.password": password,
        "database.dbname": database,
        "topic.prefix": "prefix",
        "table.include.list": "public.catalog_seed_outbox_messages",
        "tombstones.on.delete" : "false",
        "transforms" : "outbox",
        "transforms.outbox.type" : "io.debezium.transforms.outbox.EventRouter",
        "transforms.outbox.route.topic.replacement" : settings.kafka.seedsTopic,
        "transforms.outbox.table.field.event.key": "aggregate_id",
        "transforms.outbox.table.field.event.type": "message_name",
        "transforms.outbox.table.field.event.id": "message_id",
        "transforms.outbox.table.field.event.payload": "data",
        "transforms.outbox.route.by.field": "context_name",
        "transforms.outbox.table.fields.additional.placement" : asHeaders,
      },
    };
  }
})()
