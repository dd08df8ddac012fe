import { consumeAndSync } from "../lib/kafka.js";
import { runCypher } from "../lib/graph.js";

const MEMBER_JOINED_TOPIC = "portal_events_MemberJoined";

consumeAndSync({
  groupId: 'graph-sync-group',
  topic: MEMBER_JOINED_TOPIC,
  handler: (event) => runCypher(`MERGE (m:Member {_id: ${event.memberId}, nick: ${event.nick}, joinedAt: datetime()}) RETURN m`, { memberId: event.memberId, nick: event.nick }, "syncMember")
});

/**
 * HTTP/1.1 201 Created
Date: Mon, 11 Aug 2025 19:02:17 GMT
Location: http://localhost:8083/connectors/db-outbox-connector
Content-Type: application/json
Content-Length: 624
Server: Jetty(9.4.54.v20240208)

{
  "name": "db-outbox-connector",
  "config": {
    "connector.class":"io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname":"host.docker.internal",
    "database.port":"5432",
    "database.user":"postgres",
    "database.password":"Marek1999&",
    "database.dbname":"Clipz",
    "topic.prefix":"db-server",
    "table.include.list":"public.outbox",
    "plugin.name":"pgoutput",
    "transforms":"outbox",
    "transforms.outbox.type":"io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.route.by.field":"event_type",
    "transforms.outbox.route.topic.replacement":"portal_events_${routedByValue}",
    "name":"db-outbox-connector"
  },
  "tasks":[],
  "type":"source"
}
 */
