-- The transaction that made the latest change of a record. A server that polls with the lower end of its previous
-- snapshot finds every change that this snapshot did not contain.
ALTER TABLE "cache_versions" ADD COLUMN "changed_in" xid8 NOT NULL DEFAULT pg_current_xact_id();

CREATE INDEX "cache_versions_changed_in_idx" ON "cache_versions" ("changed_in");

-- Servers of an earlier version do not set the column, and learn of changes only by notifications.
CREATE FUNCTION cache_version_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    NEW.changed_in := pg_current_xact_id();
  END IF;
  PERFORM pg_notify('partner_booking_cache', NEW.topic || ' ' || NEW.id);
  RETURN NEW;
END $$;

CREATE TRIGGER cache_version_changed BEFORE INSERT OR UPDATE ON "cache_versions"
  FOR EACH ROW EXECUTE FUNCTION cache_version_changed();
