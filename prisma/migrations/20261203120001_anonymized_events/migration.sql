-- The event type `booking.anonymized` (contract B11). As a booking keeps its version when its customer is erased, the event has
-- none. The check is validated by the next migration, so that this one reads no events.
BEGIN;
ALTER TABLE "events" DROP CONSTRAINT IF EXISTS "events_type";
ALTER TABLE "events" ADD CONSTRAINT "events_type" CHECK (
  "type" IN ('booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled', 'booking.completed',
    'booking.no_show', 'booking.upcoming', 'booking.anonymized', 'availability.changed', 'catalog.changed', 'webhook.test')
  AND ("type" IN ('availability.changed', 'catalog.changed', 'webhook.test')) = ("booking_reference" IS NULL)
  AND ("type" IN ('booking.upcoming', 'booking.anonymized', 'availability.changed', 'catalog.changed', 'webhook.test'))
    = ("version" IS NULL)
  AND ("version" >= 1) IS NOT FALSE) NOT VALID;
COMMIT;

BEGIN;
ALTER TABLE "webhook_endpoints" DROP CONSTRAINT IF EXISTS "webhook_endpoints_event_types";
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_event_types" CHECK (
  "event_types" <@ ARRAY['booking.created', 'booking.rescheduled', 'booking.updated', 'booking.cancelled',
    'booking.completed', 'booking.no_show', 'booking.upcoming', 'booking.anonymized', 'availability.changed',
    'catalog.changed']
  AND cardinality("event_types") BETWEEN 1 AND 10 AND array_position("event_types", NULL) IS NULL);
COMMIT;
