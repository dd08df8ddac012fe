-- Tables as their libraries and teams make them in PostgreSQL, and ordinary ones beside them.
create table outbox (
    id uuid primary key, aggregatetype varchar(255) not null, aggregateid varchar(255) not null,
    type varchar(255) not null, payload jsonb);
create type outbox_status as enum ('PENDING', 'SENT', 'FAILED');
create table outbox_events (
    id uuid primary key, aggregate_type text not null, aggregate_id text not null, event_type text not null,
    payload jsonb not null, headers jsonb, created_at timestamptz not null default now(),
    available_at timestamptz not null default now(), attempts int not null default 0,
    status outbox_status not null default 'PENDING', dedup_key text unique, partition_key text, seq bigserial unique);
create index on outbox_events (available_at) where status = 'PENDING';
create table outbox_messages (
    id uuid primary key, type varchar(255) not null, content jsonb not null, occurred_on_utc timestamptz not null,
    processed_on_utc timestamptz, error text);
create index on outbox_messages (occurred_on_utc, processed_on_utc) include (id, type, content)
    where processed_on_utc is null;
create schema messaging;
create table messaging."OutboxMessage" (
    "Id" uuid primary key, "OccurredOn" timestamp not null, "MessageType" varchar(255) not null, "Payload" text not null,
    "CorrelationId" uuid, "Destination" varchar(255) not null, "ProcessedOn" timestamp,
    "RetryCount" int not null default 0, "Error" text);
create index on messaging."OutboxMessage" ("OccurredOn") where "ProcessedOn" is null;
create schema billing;
create table billing.outbox_messages (id uuid primary key, type varchar(255) not null, json_payload text not null);
create table "OutboxState" (
    "OutboxId" uuid primary key, "LockId" uuid not null, "RowVersion" bytea, "Created" timestamptz not null,
    "Delivered" timestamptz, "LastSequenceNumber" bigint);
create table "InboxState" (
    "Id" bigserial primary key, "MessageId" uuid not null, "ConsumerId" uuid not null, "LockId" uuid not null,
    "RowVersion" bytea, "Received" timestamptz not null, "ReceiveCount" int not null, "ExpirationTime" timestamptz,
    "Consumed" timestamptz, "Delivered" timestamptz, "LastSequenceNumber" bigint);
create table "OutboxMessage" (
    "SequenceNumber" bigserial primary key, "EnqueueTime" timestamptz, "SentTime" timestamptz not null, "Headers" text,
    "Properties" text, "InboxMessageId" uuid, "InboxConsumerId" uuid, "OutboxId" uuid, "MessageId" uuid not null,
    "ContentType" varchar(256) not null, "MessageType" text not null, "Body" text not null, "ConversationId" uuid,
    "CorrelationId" uuid, "InitiatorId" uuid, "RequestId" uuid, "SourceAddress" varchar(256),
    "DestinationAddress" varchar(256), "ResponseAddress" varchar(256), "FaultAddress" varchar(256),
    "ExpirationTime" timestamptz);
create table "Sales_OutboxData" (
    "MessageId" varchar(200) primary key, "Dispatched" boolean not null default false, "DispatchedAt" timestamp,
    "PersistenceVersion" varchar(23) not null, "Operations" jsonb not null);
create schema cap;
create table cap.published (
    "Id" bigint primary key, "Version" varchar(20) not null, "Name" varchar(200) not null, "Content" text,
    "Retries" int not null, "Added" timestamp not null, "ExpiresAt" timestamp, "StatusName" varchar(50) not null);
create table cap.received (
    "Id" bigint primary key, "Version" varchar(20) not null, "Name" varchar(200) not null, "Group" varchar(200),
    "Content" text, "Retries" int not null, "Added" timestamp not null, "ExpiresAt" timestamp,
    "StatusName" varchar(50) not null);
create table event_publication (
    id uuid primary key, listener_id text not null, event_type text not null, serialized_event text not null,
    publication_date timestamptz not null, completion_date timestamptz);
create table barrier (
    id bigserial primary key, trans_type varchar(45) default '', gid varchar(128) default '',
    branch_id varchar(128) default '', op varchar(45) default '', barrier_id varchar(45) default '',
    reason varchar(45) default '', create_time timestamptz, update_time timestamptz,
    unique (gid, branch_id, op, barrier_id));

create table users (id serial primary key, name text not null, email text unique, data jsonb, created_at timestamptz);
create table orders (
    id serial primary key, user_id int references users, status text not null, total numeric, data jsonb,
    created_at timestamptz default now());
create table audit_log (
    id bigserial primary key, user_id int, action text not null, event_type text not null, entity_type text not null,
    entity_id text not null, data jsonb, created_at timestamptz not null default now());
create table messages (
    id bigserial primary key, conversation_id uuid not null, sender_id int, type text, body text, created_at timestamptz);
create table notifications (
    id uuid primary key, type varchar(255) not null, notifiable_type text, notifiable_id bigint, data text not null,
    read_at timestamptz, created_at timestamptz);
create table failed_jobs (
    id bigserial primary key, uuid text unique, connection text, queue text, payload text, exception text,
    failed_at timestamptz);
create table sessions (sid text primary key, sess json not null, expire timestamp not null);
create table django_session (session_key text primary key, session_data text not null, expire_date timestamptz not null);
create table django_migrations (id serial primary key, app text, name text, applied timestamptz);
create table django_admin_log (
    id serial primary key, action_time timestamptz, object_id text, object_repr text, action_flag smallint,
    change_message text, content_type_id int, user_id int);
create table products (
    id serial primary key, type text, name text, content text, status text, price numeric, created_at timestamptz);
create view outbox_view as select * from outbox_messages;

insert into outbox select gen_random_uuid(), 'Order', 'o-' || n, 'OrderPlaced', '{"orderId": "7"}'
    from generate_series(1, 5) n;
insert into outbox_events select gen_random_uuid(), 'Order', 'o-' || n, 'OrderPlaced', '{"orderId": "7"}'
    from generate_series(1, 5) n;
update outbox_events set status = 'SENT', attempts = 1;
insert into outbox_messages select gen_random_uuid(), 'OrderPlaced', '{"OrderId": "7", "Secret": "hunter2"}', now()
    from generate_series(1, 5) n;
update outbox_messages set processed_on_utc = now();
insert into messaging."OutboxMessage" select gen_random_uuid(), now(), 'OrderPlaced', '{}', null, 'orders.placed'
    from generate_series(1, 5) n;
insert into billing.outbox_messages select gen_random_uuid(), 'Shop.InvoiceSent, Shop', '{"InvoiceId": 1}'
    from generate_series(1, 5) n;
delete from billing.outbox_messages where id in (select id from billing.outbox_messages limit 2);
insert into "OutboxMessage" ("SentTime", "MessageId", "ContentType", "MessageType", "Body")
    select now(), gen_random_uuid(), 'application/vnd.masstransit+json',
        'urn:message:Shop.Orders:OrderPlaced;urn:message:Shop:IEvent', '{}' from generate_series(1, 5) n;
insert into "Sales_OutboxData" select 'm-' || n, true, now(), '8.0.0',
    '[{"MessageId": "a", "Body": "e30="}, {"MessageId": "b", "Body": "e30="}]' from generate_series(1, 5) n;
insert into cap.published select n, 'v1', 'order.placed', '{"Headers": {}, "Value": {}}', 0, now(), null, 'Succeeded'
    from generate_series(1, 5) n;
insert into event_publication select gen_random_uuid(), 'com.acme.Mailer.on(com.acme.OrderPlaced)',
    'com.acme.OrderPlaced', '{}', now() from generate_series(1, 5) n;
insert into barrier (trans_type, gid, branch_id, op, barrier_id, reason)
    select 'msg', 'g-' || n, '00', 'msg', '01', 'committed' from generate_series(1, 5) n;
