-- AlterTable
ALTER TABLE "tenants" ADD COLUMN     "name_skeleton" TEXT;

-- Two tenants cannot have names that look the same. Servers compute the skeletons of existing names when they start.
CREATE UNIQUE INDEX "tenants_name_skeleton_key" ON "tenants"("name_skeleton");

-- A name has at most 200 characters. Compatibility normalization makes at most 18 characters of one.
ALTER TABLE "tenants" ADD CONSTRAINT "tenants_name_skeleton_length" CHECK (char_length("name_skeleton") BETWEEN 1 AND 4000);

-- A server of an earlier version changes the name without its skeleton. The skeleton would then belong to a name that no
-- tenant has.
CREATE FUNCTION "forget_name_skeleton"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW."name_skeleton" := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER "tenants_name_skeleton" BEFORE UPDATE OF "name" ON "tenants" FOR EACH ROW
  WHEN (NEW."name" <> OLD."name" AND NEW."name_skeleton" IS NOT DISTINCT FROM OLD."name_skeleton")
  EXECUTE FUNCTION "forget_name_skeleton"();
