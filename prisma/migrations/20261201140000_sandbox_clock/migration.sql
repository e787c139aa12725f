-- By how much the clock of an application in TEST is ahead of real time (contract B20). Servers of LIVE never read it. A
-- server of an earlier version knows only real time.
ALTER TABLE "applications" ADD COLUMN     "clock_offset_seconds" INTEGER NOT NULL DEFAULT 0;
-- At most 365 days.
ALTER TABLE "applications" ADD CONSTRAINT "applications_clock_offset" CHECK ("clock_offset_seconds" BETWEEN 0 AND 31536000);
