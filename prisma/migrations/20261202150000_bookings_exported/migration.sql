-- The entries of the exports of bookings and statistics get the fields `rows` and `result` too, as in `kept_logs`.
BEGIN;
CREATE OR REPLACE TRIGGER "kept_update" BEFORE UPDATE ON "audit_log" FOR EACH ROW
  WHEN (NEW IS DISTINCT FROM OLD AND NOT coalesce(
    (NEW."id", NEW."at", NEW."tenant_id", NEW."actor_kind", NEW."actor_id", NEW."action", NEW."object_kind", NEW."object_id", NEW."before")
      IS NOT DISTINCT FROM
    (OLD."id", OLD."at", OLD."tenant_id", OLD."actor_kind", OLD."actor_id", OLD."action", OLD."object_kind", OLD."object_id", OLD."before")
    AND OLD."action" IN ('requests.exported', 'audit.exported', 'bookings.exported', 'statistics.exported')
    AND NOT OLD."after" ?| ARRAY['rows', 'result'] AND NEW."after" ?& ARRAY['rows', 'result']
    AND NEW."after" - ARRAY['rows', 'result'] = OLD."after", false))
  EXECUTE FUNCTION "refuse_change_of_log"();
COMMIT;
