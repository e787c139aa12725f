import { API_ERRORS } from '@/lib/contract/errors/api-errors';
import { ALL_OPERATIONS, BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';

/** Returns the applications and keys of a tenant, and all routes, codes, and statuses of the partner API. */
export async function filterChoices(tenantId: string) {
  const applications = await db().application.findMany({
    where: { tenantId },
    select: {
      id: true,
      name: true,
      keys: { select: { id: true, name: true, lastFour: true }, orderBy: { createdAt: 'desc' } },
    },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  });
  // Only the partner API's codes are choices, because the request log contains no requests from the Control Center.
  const codes = Object.entries(API_ERRORS);
  const operations = ALL_OPERATIONS.filter(({ testOnly }) => !testOnly || env().ENVIRONMENT === 'TEST');
  const statuses = new Set([200, 201, 405, ...codes.map(([, { status }]) => status)]);
  return {
    applications: applications.map(({ keys, ...application }) => ({
      ...application,
      keys: keys.map(({ lastFour: last_four, ...key }) => ({ ...key, last_four })),
    })),
    routes: [...new Set(operations.map(({ path }) => BASE_PATH + path))],
    codes: codes.map(([code]) => code),
    statuses: [...statuses].sort((a, b) => a - b),
  };
}
