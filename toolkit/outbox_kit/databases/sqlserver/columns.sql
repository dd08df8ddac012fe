select c.name,
    concat(t.name, case
        when t.name in ('char', 'varchar', 'binary', 'varbinary', 'nchar', 'nvarchar') and c.max_length = -1 then '(max)'
        when t.name in ('char', 'varchar', 'binary', 'varbinary') then concat('(', c.max_length, ')')
        when t.name in ('nchar', 'nvarchar') then concat('(', c.max_length / 2, ')')
        when t.name in ('datetime2', 'datetimeoffset', 'time') then concat('(', c.scale, ')')
    end),
    1 - c.is_nullable, iif(c.default_object_id <> 0 or c.is_identity = 1, 1, 0)
from sys.columns c join sys.types t on t.user_type_id = c.user_type_id
where c.object_id = object_id(%s, N'U')
