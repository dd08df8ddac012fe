-- The outbox of 'billing', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the outbox and all events still in it. Remove the connector first.
begin;

set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is there already

-- While the slot is there, a connector may still depend on what is dropped here.
do $block$
begin
    if exists (select from pg_replication_slots where slot_name = 'billing_outbox') then
        raise exception 'the replication slot % still exists', quote_ident('billing_outbox')
            using hint = 'remove the connector and its slot first: outbox-kit remove --service billing --drop-slot --allow-destructive';
    end if;
end
$block$;

drop publication if exists "billing_outbox";
drop table if exists "public"."outbox_heartbeat";
do $block$
begin
    if to_regclass('"public"."BillingOutboxData"') is not null then
        drop trigger if exists "outbox_feed" on "public"."BillingOutboxData";
    end if;
end
$block$;
drop function if exists "public"."outbox_feed"();
drop table if exists "public"."outbox";

do $block$
begin
    if exists (select from pg_roles where rolname = 'billing_outbox') then
        execute format('revoke all on database %I from %I', current_database(), 'billing_outbox');
        revoke all on schema "public" from "billing_outbox";
        drop role "billing_outbox";
    end if;
end
$block$;

commit;
