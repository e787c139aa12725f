import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { isBookingReference } from '@/lib/platform/ids';

/** Days that the request log keeps (architecture 4); nothing older is asked for. */
const KEPT_DAYS = 30;

const HOUR = 3_600_000;

/** The periods that end now, in milliseconds. */
const PERIODS = { '1h': HOUR, '24h': 24 * HOUR, '7d': 168 * HOUR, '30d': KEPT_DAYS * 24 * HOUR } as const;

/** A period that ends now. */
export type PeriodName = keyof typeof PERIODS;

/** Every period that ends now, by name. */
export const PERIOD_NAMES = ['1h', '24h', '7d', '30d'] as const satisfies readonly PeriodName[];

/** The classes of status that a filter knows beside exact ones; `error` is 4xx and 5xx together. */
export const STATUS_CLASSES = ['2xx', '4xx', '5xx', 'error'] as const;

/** A class of statuses. */
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** A half-open stretch of time. */
export type Period = { from: Date; to: Date };

/** What the lines of a tenant are narrowed to. Null means any. */
export type RequestFilter = {
  tenantId: string;
  period: Period;
  status: StatusClass | number | null;
  code: string | null;
  route: string | null;
  applicationId: string | null;
  keyId: string | null;
  /** A booking reference or an external reference, whole. */
  reference: string | null;
};

const CLASS_BOUNDS: Record<StatusClass, [number, number]> = {
  '2xx': [200, 299],
  '4xx': [400, 499],
  '5xx': [500, 599],
  error: [400, 599],
};

/**
 * Returns the stretch of time that is meant: one that ends now, or one between two moments. What lies before the
 * oldest line that is kept is cut off.
 * @throws AppError invalid_request when it ends before it begins.
 */
export function periodOf(now: Date, given: PeriodName | { from: Date; to: Date }): Period {
  if (typeof given === 'string') return { from: new Date(now.getTime() - PERIODS[given]), to: now };
  if (given.from >= given.to) throw invalidField('from', 'must be before the end');
  const oldest = new Date(now.getTime() - PERIODS['30d'] - 24 * HOUR);
  const to = given.to < now ? given.to : now;
  const from = given.from > oldest ? given.from : oldest;
  // Wholly outside of what is kept: an empty stretch, not an error.
  return from < to ? { from, to } : { from: to, to };
}

/** A piece of SQL with its values; the placeholders continue those of the piece before. */
export type Conditions = { sql: string; values: unknown[] };

/**
 * Returns the conditions of a filter but for the time. Only what is asked for is in the text, so that the planner sees
 * which index fits: each of (tenant, application, at), (tenant, key, at), (tenant, route, at), (tenant, code, at) and
 * (tenant, status, at) is there for one of them.
 */
export function conditionsOf(filter: RequestFilter): Conditions {
  const values: unknown[] = [filter.tenantId];
  const parts = ['tenant_id = $1'];
  const add = (column: string, value: string | number | null) => {
    if (value === null) return;
    values.push(value);
    parts.push(`${column} = $${values.length}`);
  };
  add('code', filter.code);
  add('route', filter.route);
  add('application_id', filter.applicationId);
  add('key_id', filter.keyId);
  if (filter.reference !== null)
    add(isBookingReference(filter.reference) ? 'booking_reference' : 'external_reference', filter.reference);
  parts.push(...statusConditions(filter.status));
  return { sql: parts.join(' AND '), values };
}

// Numbers of ours, written out: the index over errors is partial, and the planner must see that it covers them.
function statusConditions(status: RequestFilter['status']): string[] {
  if (status === null) return [];
  if (typeof status === 'number') return [`status = ${whole(status)}`];
  const [low, high] = CLASS_BOUNDS[status];
  return [`status BETWEEN ${low} AND ${high}`];
}

function whole(status: number): number {
  if (!Number.isInteger(status)) throw new AppError('invalid_request');
  return status;
}

/**
 * Returns the statuses of a class of errors, each of which is read by itself, newest first, from the index
 * (tenant, status, at); null when the filter is no such class.
 */
export function errorStatuses(status: RequestFilter['status']): [number, number] | null {
  if (status === null || typeof status === 'number' || status === '2xx') return null;
  return CLASS_BOUNDS[status];
}
