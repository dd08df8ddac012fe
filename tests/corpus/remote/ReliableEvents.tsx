import ArticleLayout from '../../layout/ArticleLayout';
import { P, H2, H3, Code, Callout } from '../../layout/parts';

const ReliableEvents = () => (
  <ArticleLayout title="Publishing events you can rely on" minutes={9}>
    <H2 num="04">One transaction for both</H2>

    <P>
      The row in the outbox is written where the domain row is written, by the same code and in the same transaction.
    </P>

    <Code label="TypeScript — reservation and event">
{`async function reserve(reservation: Reservation): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(
      'INSERT INTO reservations (id, guest_id, nights, status) VALUES ($1, $2, $3, $4)',
      [reservation.id, reservation.guestId, reservation.nights, 'open'],
    );

    await tx.query(
      \`INSERT INTO outbox_messages
         (aggregate_type, aggregate_id, event_type, payload, idempotency_key)
       VALUES ($1, $2, $3, $4, $5)\`,
      [
        'Reservation',
        reservation.id,
        'ReservationMade',
        JSON.stringify({ reservationId: reservation.id, guestId: reservation.guestId }),
        \`ReservationMade-\${reservation.id}\`,
      ],
    );
  });
}`}
    </Code>

    <H2 num="05">From the table to Kafka</H2>

    <H3>With Debezium</H3>

    <P>
      Debezium follows the WAL of PostgreSQL. Each committed row of the outbox reaches Kafka within a second, and after
      a restart the connector goes on where it had stopped.
    </P>

    <Code label="The connector for the outbox table">
{`{
  "name": "reservation-connector",
  "config": {
    "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
    "database.hostname": "postgres",
    "database.port": "5432",
    "database.user": "cdc_user",
    "database.password": "${"$"}{PG_PASSWORD}",
    "database.dbname": "hotel_db",
    "table.include.list": "public.outbox_messages",

    // the router: aggregate_type decides about the topic,
    // payload becomes the message
    "transforms": "outbox",
    "transforms.outbox.type":
      "io.debezium.transforms.outbox.EventRouter",
    "transforms.outbox.table.field.event.id":     "id",
    "transforms.outbox.table.field.event.key":    "aggregate_id",
    "transforms.outbox.table.field.event.type":   "event_type",
    "transforms.outbox.table.field.event.payload": "payload",
    "transforms.outbox.route.by.field":           "aggregate_type",
    "transforms.outbox.route.topic.replacement":  "outbox.$1"
    // i.e. outbox.Reservation, outbox.Invoice and so on
  }
}`}
    </Code>

    <P>
      Nothing has to be marked as sent in the table: the position in the WAL is enough.
    </P>

    <H3>By polling</H3>

    <Code label="Polling — TypeScript">
{`const rows = await db.query<OutboxMessage>(
  \`SELECT * FROM outbox_messages
   WHERE published_at IS NULL
   ORDER BY created_at ASC
   LIMIT 100
   FOR UPDATE SKIP LOCKED\`,
);`}
    </Code>

    <Callout type="warn">
      Polling costs a delay and load on the table. Without SKIP LOCKED two instances publish the same row.
    </Callout>

    <H2 num="06">Consumers</H2>

    <P>
      Messages can arrive twice. Keep the keys of those that were handled in a table and check it in the transaction of
      the handler.
    </P>
  </ArticleLayout>
);

export default ReliableEvents;
