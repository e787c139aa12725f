import { param, sql } from '@/lib/platform/sql';

/**
 * Inserts the delivery of each event that the CTE `event` has just inserted, if the application has an endpoint that
 * subscribes to the type of the event. An inactive endpoint gets a delivery too, which is held (contract B11). A
 * delivery has the id of its event with another prefix.
 */
export const INSERT_DELIVERIES = sql`
  INSERT INTO deliveries (id, tenant_id, application_id, event_id, next_attempt_at, created_at)
  SELECT 'dlv_' || substr(event.id, 5), endpoint.tenant_id, endpoint.application_id, event.id,
    ${param.timestamptz('now')}, ${param.timestamptz('now')}
  FROM event JOIN webhook_endpoints AS endpoint ON endpoint.application_id = ${param.text('applicationId')}
  WHERE ${param.text('eventType')} = ANY (endpoint.event_types)`;
