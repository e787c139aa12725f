import { nullable, param, sql } from '@/lib/platform/sql';

/**
 * SQL that inserts deliveries for the events of the CTE `event` to which an endpoint subscribes. Without an application,
 * there are none. The delivery of an inactive endpoint is held (contract B11). Its id is the event's with the prefix
 * `dlv_`. `deliverAt` is real time: the clock of an application in TEST can be ahead of it (contract B20).
 */
export const INSERT_DELIVERIES = sql`
  INSERT INTO deliveries (id, tenant_id, application_id, event_id, next_attempt_at, created_at)
  SELECT 'dlv_' || substr(event.id, 5), endpoint.tenant_id, endpoint.application_id, event.id,
    ${param.timestamptz('deliverAt')}, ${param.timestamptz('deliverAt')}
  FROM event JOIN webhook_endpoints AS endpoint ON endpoint.application_id = ${nullable(param.text('applicationId'))}
  WHERE ${param.text('eventType')} = ANY (endpoint.event_types)`;
