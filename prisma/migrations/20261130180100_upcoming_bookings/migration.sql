-- The event type `booking.upcoming` (contract B11). It is no change of a booking, so it has no version of its own. Its id is
-- derived from the booking, its version, and the hours before the start, so the primary key allows it once. The checks are
-- validated by the next migration, so that this one reads no events.
BEGIN;
ALTER TABLE "events" DROP CONSTRAINT IF EXISTS "events_type";
ALTER TABLE "events" ADD CONSTRAINT "events_type" CHECK (
  "type" IN ('booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled', 'booking.completed',
    'booking.no_show', 'booking.upcoming', 'webhook.test')
  AND ("type" = 'webhook.test') = ("booking_reference" IS NULL)
  AND ("type" IN ('booking.upcoming', 'webhook.test')) = ("version" IS NULL)
  AND ("version" >= 1) IS NOT FALSE) NOT VALID;
COMMIT;

BEGIN;
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT IF EXISTS "webhook_endpoints_event_types";
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_event_types" CHECK (
  "event_types" <@ ARRAY['booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled',
    'booking.completed', 'booking.no_show', 'booking.upcoming']
  AND cardinality("event_types") BETWEEN 1 AND 7 AND array_position("event_types", NULL) IS NULL);
COMMIT;
