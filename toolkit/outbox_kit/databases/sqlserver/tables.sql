-- Relations that change data capture cannot capture have another kind than table.
select o.object_id, schema_name(o.schema_id), o.name,
    case when o.type = 'V' then 'view' when t.is_memory_optimized = 1 then 'memory-optimized table'
        when t.is_external = 1 then 'external table' else 'table' end,
    coalesce((select sum(p.rows) from sys.partitions p where p.object_id = o.object_id and p.index_id in (0, 1)), 0),
    iif(exists (select 1 from sys.partitions p where p.object_id = o.object_id and p.partition_number > 1), 1, 0),
    iif(exists (select 1 from sys.foreign_keys f
        where f.referenced_object_id = o.object_id and f.parent_object_id <> o.object_id), 1, 0)
from sys.objects o left join sys.tables t on t.object_id = o.object_id
where o.type in ('U', 'V') and o.is_ms_shipped = 0 and schema_name(o.schema_id) not in ('cdc', 'sys')
order by 2, 3
