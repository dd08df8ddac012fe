import { Callout, CodeBlock, ModuleLayout, Section } from '../ui';

export default function PolyglotCapstone({ accent }: { accent: string }) {
  return (
    <ModuleLayout title="Capstone: several stores, one truth">
      <Section title="Eventual consistency with an outbox" accent={accent}>
        <CodeBlock lang="sql">{`-- the outbox
CREATE TABLE outbox_events (
    id          BIGSERIAL PRIMARY KEY,
    aggregate   TEXT NOT NULL,
    event_type  TEXT NOT NULL,
    payload     JSONB NOT NULL,
    created_at  TIMESTAMPTZ DEFAULT now()
);

-- in the transaction of the business write
BEGIN;
INSERT INTO cases (id, org_id, subject, status)
  VALUES ($1, $2, $3, 'open');
INSERT INTO outbox_events (aggregate, event_type, payload)
  VALUES ('case', 'case.opened', jsonb_build_object('caseId', $1, 'orgId', $2));
COMMIT;`}</CodeBlock>
        <CodeBlock lang="yaml">{`# Debezium reads the WAL and publishes
name: case-outbox
config:
  connector.class: io.debezium.connector.postgresql.PostgresConnector
  database.hostname: pg-main
  database.dbname: helpdesk
  plugin.name: pgoutput
  publication.name: helpdesk_pub
  table.include.list: public.outbox_events
  transforms: outbox
  transforms.outbox.type: io.debezium.transforms.outbox.EventRouter
  transforms.outbox.route.topic.replacement: helpdesk.\${routedByValue}`}</CodeBlock>
      </Section>

      <Section title="What to hand in" accent={accent}>
        <Callout tone="info">
          A diagram of the flow, a decision record for each store, and a runbook for the day on which the connector dies.
        </Callout>
      </Section>
    </ModuleLayout>
  );
}
