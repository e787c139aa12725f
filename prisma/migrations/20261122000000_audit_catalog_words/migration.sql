-- Earlier versions wrote "catalogue" to the audit log, and this version writes "catalog". With the updates, the filters
-- of the Audit page find the entries of all versions.
UPDATE "audit_log" SET "action" = 'catalog.imported' WHERE "action" = 'catalogue.imported';
UPDATE "audit_log" SET "object_kind" = 'catalog' WHERE "object_kind" = 'catalogue';
