-- The outbox of 'every-choice', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.
begin;

set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- While the slot is there, a connector may still depend on what is dropped here.
do $block$
begin
    if exists (select from pg_replication_slots where slot_name = 'every_slot') then
        raise exception 'the replication slot % still exists', quote_ident('every_slot')
            using hint = 'remove the connector and its slot first: outbox-kit remove --service every-choice --drop-slot --allow-destructive';
    end if;
end
$block$;

drop publication if exists "every_publication";
drop table if exists "we""ird"."select_heartbeat";
drop table if exists "we""ird"."select";

do $block$
begin
    if exists (select from pg_roles where rolname = 'the reader') then
        execute format('revoke all on database %I from %I', current_database(), 'the reader');
        revoke all on schema "we""ird" from "the reader";
        drop role "the reader";
    end if;
end
$block$;

commit;
