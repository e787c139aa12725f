-- The same for the request log and its partitions: the index contains external references in lower case.
CREATE INDEX "request_log_by_reference" ON "request_log"("tenant_id", lower("external_reference")) WHERE "external_reference" IS NOT NULL;
DROP INDEX "request_log_tenant_id_external_reference_idx";
ALTER INDEX "request_log_by_reference" RENAME TO "request_log_tenant_id_external_reference_idx";
