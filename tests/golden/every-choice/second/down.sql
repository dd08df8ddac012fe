-- The outbox of 'second', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.
begin;

set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- While the slot is there, a connector may still depend on what is dropped here.
do $block$
begin
    if exists (select from pg_replication_slots where slot_name = 'second_outbox') then
        raise exception 'the replication slot % still exists', quote_ident('second_outbox')
            using hint = 'remove the connector and its slot first: outbox-kit remove --service second --drop-slot --allow-destructive';
    end if;
end
$block$;

drop publication if exists "second_outbox";
drop table if exists "public"."outbox_heartbeat";
drop table if exists "public"."outbox";

do $block$
begin
    if exists (select from pg_roles where rolname = 'second_outbox') then
        execute format('revoke all on database %I from %I', current_database(), 'second_outbox');
        revoke all on schema "public" from "second_outbox";
        drop role "second_outbox";
    end if;
end
$block$;

commit;
