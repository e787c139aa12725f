-- Finds overlapping claims. There are almost never any, so that the index is empty.
CREATE INDEX CONCURRENTLY "slot_claims_overlapping" ON "slot_claims" USING gist ("specialist_id", "overlapping")
  WHERE "overlapping" IS NOT NULL;
