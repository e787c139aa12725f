-- The event type `booking.updated` (contract B11): a change that nobody made, such as a change of time zone rules. The check
-- is validated by the next migration, so that this one reads no events.
BEGIN;
ALTER TABLE "events" DROP CONSTRAINT IF EXISTS "events_type";
ALTER TABLE "events" ADD CONSTRAINT "events_type" CHECK (
  "type" IN ('booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled', 'booking.completed',
    'booking.no_show', 'webhook.test')
  AND ("type" = 'webhook.test') = ("booking_reference" IS NULL) AND ("booking_reference" IS NULL) = ("version" IS NULL)
  AND ("version" >= 1) IS NOT FALSE) NOT VALID;
COMMIT;

-- An endpoint that receives every type of booking events so far also receives the new type: its partner relies on having
-- an event for every version.
BEGIN;
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT IF EXISTS "webhook_endpoints_event_types";
UPDATE "webhook_endpoints" SET "event_types" = "event_types" || ARRAY['booking.updated']
  WHERE cardinality("event_types") = 5 AND NOT 'booking.updated' = ANY ("event_types");
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_event_types" CHECK (
  "event_types" <@ ARRAY['booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled',
    'booking.completed', 'booking.no_show']
  AND cardinality("event_types") BETWEEN 1 AND 6 AND array_position("event_types", NULL) IS NULL);
COMMIT;
