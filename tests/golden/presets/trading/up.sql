-- The outbox of 'trading', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.
begin;

-- A lock that is not to be had must not make the application queue up behind us.
set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- The table "public"."OutboxMessage" is its owner's: nothing here makes, changes or drops it.
-- Its owner goes on to UPDATE and DELETE rows as ever. An INSERT is an event, and nothing else is: the connector passes
-- over the rest, so that a publisher may work beside it for as long as it is needed.

-- The heartbeat: a row now and then lets the slot advance while the outbox is idle and the rest of the server writes.
create table if not exists "public"."OutboxMessage_heartbeat" (
    beat_at timestamp with time zone primary key
);

-- The connector's role: it may log in, stream, read these two tables and beat. Its password is set apart from
-- this script. On a managed server that keeps REPLICATION to itself, grant its own role instead (rds_replication).
do $block$
begin
    if not exists (select from pg_roles where rolname = 'trading_outbox') then
        create role "trading_outbox" login replication;
    end if;
end
$block$;

do $block$
begin
    execute format('grant connect on database %I to %I', current_database(), 'trading_outbox');
end
$block$;

grant usage on schema "public" to "trading_outbox";
grant select on "public"."OutboxMessage", "public"."OutboxMessage_heartbeat" to "trading_outbox";
grant insert, delete on "public"."OutboxMessage_heartbeat" to "trading_outbox";

-- The application needs INSERT on the outbox: it is granted here to the roles that database.writers names.

-- The publication: these two tables, inserts only, so that an UPDATE or a changed id can never republish an event.
do $block$
begin
    if not exists (select from pg_publication where pubname = 'trading_outbox') then
        create publication "trading_outbox" for table "public"."OutboxMessage", "public"."OutboxMessage_heartbeat"
            with (publish = 'insert', publish_via_partition_root = true);
        return;
    end if;
    if (select count(*) <> 2 or count(*) <> count(*) filter (
            where prrelid in ('"public"."OutboxMessage"'::regclass, '"public"."OutboxMessage_heartbeat"'::regclass))
        from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where p.pubname = 'trading_outbox') then
        alter publication "trading_outbox" set table "public"."OutboxMessage", "public"."OutboxMessage_heartbeat";
    end if;
    if not exists (select from pg_publication
                   where pubname = 'trading_outbox' and pubinsert
                     and not (pubupdate or pubdelete or pubtruncate)
                     and pubviaroot = true) then
        alter publication "trading_outbox"
            set (publish = 'insert', publish_via_partition_root = true);
    end if;
end
$block$;

commit;
