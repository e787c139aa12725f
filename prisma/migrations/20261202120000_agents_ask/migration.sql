-- Whether agents of the partner must ask a person before each write (contract B16). An owner permits the opposite. A server
-- of an earlier version neither reads nor writes it.
ALTER TABLE "applications" ADD COLUMN     "agents_ask" BOOLEAN NOT NULL DEFAULT true;
