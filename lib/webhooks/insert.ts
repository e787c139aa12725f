/**
 * Returns the SQL that makes the delivery of an event just inserted by the CTE `event`, if its application has an
 * endpoint for that type. Whether the endpoint is active is not asked: what is not sent now is held (contract B11).
 * The delivery's id is the event's under another prefix, so nothing more has to be passed.
 */
export function insertDeliverySql(event: string, type: string, at: string): string {
  return `INSERT INTO deliveries (id, tenant_id, application_id, event_id, next_attempt_at, created_at)
      SELECT 'dlv_' || substr(${event}.id, 5), endpoint.tenant_id, endpoint.application_id, ${event}.id, ${at}, ${at}
      FROM ${event} JOIN webhook_endpoints AS endpoint ON endpoint.application_id = $3::text
      WHERE ${type} = ANY (endpoint.event_types)`;
}
