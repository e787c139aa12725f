-- The success rate of a day is read often; attempts are kept for weeks.

-- CreateIndex
CREATE INDEX "delivery_attempts_started_at_idx" ON "delivery_attempts"("started_at");
