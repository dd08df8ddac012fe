-- The inbox of those who read the events of 'trading', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the inbox: what comes again will be handled again.
begin;

set local lock_timeout = '10s';
set local client_min_messages = warning; -- not a word about what is not there

drop table if exists "public"."inbox";

do $block$
begin
    if exists (select from pg_roles where rolname = 'trading_inbox') then
        revoke all on schema "public" from "trading_inbox";
        drop role "trading_inbox";
    end if;
exception when dependent_objects_still_exist then
    raise warning 'the role % stays: another database has an inbox too', quote_ident('trading_inbox');
end
$block$;

commit;
