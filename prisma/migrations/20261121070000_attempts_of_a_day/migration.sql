-- The success rate of the last 24 hours is read often. Without this index, the query would read weeks of attempts.

-- CreateIndex
CREATE INDEX "delivery_attempts_started_at_idx" ON "delivery_attempts"("started_at");
