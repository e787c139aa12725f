import { param, sql, statement } from '@/lib/platform/sql';

/** SQL that stores the one row of a kind for an application. */
export const STORE_RECORD = sql`
  INSERT INTO readiness_records AS r (tenant_id, application_id, kind, at, value)
  VALUES (${param.text('tenantId')}, ${param.text('applicationId')}, ${param.text('kind')}, ${param.timestamptz('at')},
    ${param.jsonb('value')})
  ON CONFLICT (application_id, kind) DO UPDATE SET at = EXCLUDED.at, value = EXCLUDED.value`;

/** At most one row per kind. */
export const READ_RECORDS = statement<{ kind: string; at: Date; value: Record<string, unknown> }>('readiness-records')`
  SELECT kind, at, value FROM readiness_records
  WHERE tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')}`;
