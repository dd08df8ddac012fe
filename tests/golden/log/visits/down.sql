-- The outbox of 'visits', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.
begin;

set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- While the slot is there, a connector may still depend on what is dropped here.
do $block$
begin
    if exists (select from pg_replication_slots where slot_name = 'visits_outbox') then
        raise exception 'the replication slot % still exists', quote_ident('visits_outbox')
            using hint = 'remove the connector and its slot first: outbox-kit remove --service visits --drop-slot --allow-destructive';
    end if;
end
$block$;

drop publication if exists "visits_outbox";
drop table if exists "public"."outbox_heartbeat";
do $block$
declare
    writer regprocedure;
begin
    for writer in select oid from pg_proc
        where proname = 'outbox_write' and pronamespace = '"public"'::regnamespace
    loop
        execute format('drop routine %s', writer);
    end loop;
end
$block$;
drop sequence if exists "public"."outbox_write_sequence";

do $block$
begin
    if exists (select from pg_roles where rolname = 'visits_outbox') then
        execute format('revoke all on database %I from %I', current_database(), 'visits_outbox');
        revoke all on schema "public" from "visits_outbox";
        drop role "visits_outbox";
    end if;
end
$block$;

commit;
