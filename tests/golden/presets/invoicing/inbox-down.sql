-- The inbox of those who read the events of 'invoicing', written by outbox-kit 0.1.0 from its schema file.
-- Change the schema file, not this script. Removes the inbox: what comes again will be handled again.

set nocount, xact_abort on;
set lock_timeout 10000;
drop table if exists [dbo].[inbox];
drop role if exists [invoicing_inbox];
