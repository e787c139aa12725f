-- While a deletion of a tenant is unfinished, `kept_delete` allows to delete its log entries. A begun deletion can
-- therefore never be taken back. Otherwise, SQL with the servers' role could begin a deletion, remove single entries, and
-- let the tenant continue. Servers of all versions only begin deletions.
CREATE OR REPLACE TRIGGER "kept_deletion" BEFORE UPDATE ON "tenants" FOR EACH ROW
  WHEN (OLD."deletion_began_at" IS NOT NULL AND NEW."deletion_began_at" IS NULL)
  EXECUTE FUNCTION "refuse_change_of_log"();
