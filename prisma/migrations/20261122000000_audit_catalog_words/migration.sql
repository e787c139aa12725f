-- The project writes "catalog"; rows of earlier versions get the same words, so that a filter finds both.
UPDATE "audit_log" SET "action" = 'catalog.imported' WHERE "action" = 'catalogue.imported';
UPDATE "audit_log" SET "object_kind" = 'catalog' WHERE "object_kind" = 'catalogue';
