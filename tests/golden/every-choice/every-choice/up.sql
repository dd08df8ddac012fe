-- The outbox of 'every-choice', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.
begin;

-- A lock that is not to be had must not make the application queue up behind us.
set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

create schema if not exists "we""ird";

-- Adds a CHECK, or replaces it where the schema file has changed; it lives as long as this session.
-- The rule is kept as the constraint's comment, so that the same rule is never checked against the rows twice.
create or replace procedure pg_temp.ensure_check(target regclass, rule_name text, rule text)
language plpgsql as $procedure$
declare
    known text := (select coalesce(obj_description(oid, 'pg_constraint'), '')
                   from pg_constraint where conrelid = target and conname = rule_name);
begin
    if known = rule then
        return;
    elsif known is not null then
        execute format('alter table %s drop constraint %I', target, rule_name);
    end if;
    execute format('alter table %s add constraint %I check (%s)', target, rule_name, rule);
    execute format('comment on constraint %I on %s is %L', rule_name, target, rule);
end
$procedure$;

-- The outbox. Append only: the connector publishes inserts and nothing else.
create table if not exists "we""ird"."select" (
    "order" uuid not null,
    "group" text not null,
    "user" text not null,
    "table" text not null,
    "where" bytea not null,
    "version" bigint not null,
    "destination" text not null,
    "slot" integer not null,
    "At" timestamp with time zone not null default clock_timestamp(),
    constraint "select_pkey" primary key ("order", "At")
) partition by range ("At");

-- One partition a day, made a fortnight ahead each time this script runs; a row for any other day goes to the default.
do $block$
declare
    day date;
begin
    execute format('create table if not exists %I.%I partition of %s default',
                   'we"ird', 'select_other', '"we""ird"."select"');
    for ahead in 0..14 loop
        day := (now() at time zone 'utc')::date + ahead;
        execute format('create table if not exists %I.%I partition of %s for values from (%L) to (%L)',
                       'we"ird', 'select_' || to_char(day, 'YYYYMMDD'),
                       '"we""ird"."select"', day || ' 00:00:00+00', day + 1 || ' 00:00:00+00');
    end loop;
end
$block$;
comment on column "we""ird"."select"."order" is 'the event''s id: header id, what consumers deduplicate by: the message key';
comment on column "we""ird"."select"."group" is 'what changed';
comment on column "we""ird"."select"."user" is 'which one changed';
comment on column "we""ird"."select"."table" is 'what happened: header eventType';
comment on column "we""ird"."select"."where" is 'the event, serialised';
comment on column "we""ird"."select"."version" is 'the aggregate''s version: 1, 2, 3: header sequence';
comment on column "we""ird"."select"."destination" is 'header destination';
comment on column "we""ird"."select"."slot" is 'partition';
comment on column "we""ird"."select"."At" is 'for retention; not read by the router';

-- a misspelt event would go to a topic that nobody reads
call pg_temp.ensure_check('"we""ird"."select"', 'select_event_is_declared',
    '("group", "table") in ((''Order'', ''It''''s placed''), (''outbox-kit.canary'', ''Canary''))');

-- the router puts the value into the topic's name unchecked, and the task dies of a bad one
call pg_temp.ensure_check('"we""ird"."select"', 'select_route_is_topic_safe',
    '"destination" ~ ''^[A-Za-z0-9._-]{1,200}$''');

-- all events with an empty key share one partition and one order
call pg_temp.ensure_check('"we""ird"."select"', 'select_key_is_not_empty',
    '"order"::text <> ''''');

-- a message that the broker refuses as too large stops the connector; an empty one says nothing
call pg_temp.ensure_check('"we""ird"."select"', 'select_payload_fits',
    'octet_length("where") between 1 and 2000000');

-- the producer refuses a partition that the topic does not have
call pg_temp.ensure_check('"we""ird"."select"', 'select_partition_exists',
    '"slot" between 0 and 5');

-- The heartbeat: a row now and then lets the slot advance while the outbox is idle and the rest of the server writes.
create table if not exists "we""ird"."select_heartbeat" (
    beat_at timestamp with time zone primary key
);

-- The connector's role: it may log in, stream, read these two tables and beat. Its password is set apart from
-- this script. On a managed server that keeps REPLICATION to itself, grant its own role instead (rds_replication).
do $block$
begin
    if not exists (select from pg_roles where rolname = 'the reader') then
        create role "the reader" login replication;
    end if;
end
$block$;

do $block$
begin
    execute format('grant connect on database %I to %I', current_database(), 'the reader');
end
$block$;

grant usage on schema "we""ird" to "the reader";
grant select on "we""ird"."select", "we""ird"."select_heartbeat" to "the reader";
grant insert, delete on "we""ird"."select_heartbeat" to "the reader";

-- The application needs INSERT on the outbox: it is granted here to the roles that database.writers names.

-- The publication: these two tables, inserts only, so that an UPDATE or a changed id can never republish an event.
do $block$
begin
    if not exists (select from pg_publication where pubname = 'every_publication') then
        create publication "every_publication" for table "we""ird"."select", "we""ird"."select_heartbeat"
            with (publish = 'insert', publish_via_partition_root = true);
        return;
    end if;
    if (select count(*) <> 2 or count(*) <> count(*) filter (
            where prrelid in ('"we""ird"."select"'::regclass, '"we""ird"."select_heartbeat"'::regclass))
        from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where p.pubname = 'every_publication') then
        alter publication "every_publication" set table "we""ird"."select", "we""ird"."select_heartbeat";
    end if;
    if not exists (select from pg_publication
                   where pubname = 'every_publication' and pubinsert
                     and not (pubupdate or pubdelete or pubtruncate)
                     and pubviaroot = true) then
        alter publication "every_publication"
            set (publish = 'insert', publish_via_partition_root = true);
    end if;
end
$block$;

commit;
