-- The outbox of 'visits', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Creates the outbox, or brings it up to date. Can be run again at any time.
begin;

-- A lock that is not to be had must not make the application queue up behind us.
set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- Writes an event into the log alone: it is published when the transaction commits, and never if that rolls back.
-- Name what you give it: call "public"."outbox_write"("id" => ..., "aggregatetype" => ...)
do $block$
declare
    other regprocedure;
begin
    for other in
        select oid from pg_proc
        where proname = 'outbox_write' and pronamespace = '"public"'::regnamespace
          and (prokind, pronargdefaults::integer, proargnames,
               array(select one::regtype::text from unnest(proargtypes) with ordinality as of(one, n) order by n))
              is distinct from ('p', '2'::integer,
               array['id', 'aggregatetype', 'aggregateid', 'type', 'tenant', 'payload', 'trace'],
               array['uuid', 'text', 'text', 'text', 'text', 'json', 'text'])
    loop
        execute format('drop routine %s', other); -- of two with one name a call would know neither
    end loop;
end
$block$;

create sequence if not exists "public"."outbox_write_sequence";

create or replace procedure "public"."outbox_write"(
    "id" uuid, -- the event's id: header id, what consumers deduplicate by
    "aggregatetype" text, -- what changed
    "aggregateid" text, -- which one changed: the message key
    "type" text, -- what happened: header eventType
    "tenant" text, -- header tenant
    "payload" json default null, -- the event; kept byte for byte
    "trace" text default null -- header traceparent
)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $procedure$
begin
    if "id" is null then
        raise not_null_violation using message = '''id'' of an event is null', column = 'id';
    end if;
    if "aggregatetype" is null then
        raise not_null_violation using message = '''aggregatetype'' of an event is null', column = 'aggregatetype';
    end if;
    if "aggregateid" is null then
        raise not_null_violation using message = '''aggregateid'' of an event is null', column = 'aggregateid';
    end if;
    if "type" is null then
        raise not_null_violation using message = '''type'' of an event is null', column = 'type';
    end if;
    if "tenant" is null then
        raise not_null_violation using message = '''tenant'' of an event is null', column = 'tenant';
    end if;
    -- a misspelt event would go to a topic that nobody reads
    if (("aggregatetype", "type") in (('Visit', 'PatientArrived'), ('Visit', 'VisitForgotten'), ('outbox-kit.canary', 'Canary'))) is false then
        raise check_violation using message = 'an event violates ''outbox_event_is_declared''', detail = 'a misspelt event would go to a topic that nobody reads', constraint = 'outbox_event_is_declared';
    end if;
    -- all events with an empty key share one partition and one order
    if ("aggregateid"::text <> '') is false then
        raise check_violation using message = 'an event violates ''outbox_key_is_not_empty''', detail = 'all events with an empty key share one partition and one order', constraint = 'outbox_key_is_not_empty';
    end if;
    -- a message that the broker refuses as too large stops the connector; an empty one says nothing
    if (octet_length("payload"::text) between 1 and 900000) is false then
        raise check_violation using message = 'an event violates ''outbox_payload_fits''', detail = 'a message that the broker refuses as too large stops the connector; an empty one says nothing', constraint = 'outbox_payload_fits';
    end if;
    -- only the events declared as tombstones have no payload
    if (("payload" is null) = ("type" in ('VisitForgotten'))) is false then
        raise check_violation using message = 'an event violates ''outbox_null_payload_is_a_tombstone''', detail = 'only the events declared as tombstones have no payload', constraint = 'outbox_null_payload_is_a_tombstone';
    end if;
    perform pg_logical_emit_message(true, 'visits_outbox', json_build_object(
        'id', "id"::text,
        'aggregatetype', "aggregatetype"::text,
        'aggregateid', "aggregateid"::text,
        'type', "type"::text,
        'payload', "payload"::text,
        'sequence', nextval('"public"."outbox_write_sequence"'),
        'tenant', "tenant"::text,
        'trace', "trace"::text,
        'created_at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    )::text);
end
$procedure$;

-- The heartbeat: a row now and then lets the slot advance while the outbox is idle and the rest of the server writes.
create table if not exists "public"."outbox_heartbeat" (
    beat_at timestamp with time zone primary key
);

-- The connector's role: it may log in, stream, read that table and beat. Its password is set apart from
-- this script. On a managed server that keeps REPLICATION to itself, grant its own role instead (rds_replication).
do $block$
begin
    if not exists (select from pg_roles where rolname = 'visits_outbox') then
        create role "visits_outbox" login replication;
    end if;
end
$block$;

do $block$
begin
    execute format('grant connect on database %I to %I', current_database(), 'visits_outbox');
end
$block$;

grant usage on schema "public" to "visits_outbox";
grant select on "public"."outbox_heartbeat" to "visits_outbox";
grant insert, delete on "public"."outbox_heartbeat" to "visits_outbox";

-- The application: it may add events, and no more.
revoke all on procedure "public"."outbox_write" from public;
grant usage on schema "public" to "visits_app";
grant execute on procedure "public"."outbox_write" to "visits_app";

-- The publication: messages in the log need none, the heartbeat does.
do $block$
begin
    if not exists (select from pg_publication where pubname = 'visits_outbox') then
        create publication "visits_outbox" for table "public"."outbox_heartbeat"
            with (publish = 'insert');
        return;
    end if;
    if (select count(*) <> 1 or count(*) <> count(*) filter (
            where prrelid in ('"public"."outbox_heartbeat"'::regclass))
        from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
        where p.pubname = 'visits_outbox') then
        alter publication "visits_outbox" set table "public"."outbox_heartbeat";
    end if;
    if not exists (select from pg_publication
                   where pubname = 'visits_outbox' and pubinsert
                     and not (pubupdate or pubdelete or pubtruncate)
                     and pubviaroot = false) then
        alter publication "visits_outbox"
            set (publish = 'insert', publish_via_partition_root = false);
    end if;
end
$block$;

commit;
