-- Earlier versions could move a tenant while it was served. Triggers noted its changes in `tenant_move`, and
-- `tenant_arrival` listed the copies. This drops what an unfinished move has left: the source serves its tenant as before.
DROP SCHEMA IF EXISTS "tenant_move" CASCADE;
DROP SCHEMA IF EXISTS "tenant_arrival" CASCADE;
