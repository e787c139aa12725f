import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { type HelpCase, helpFor, type KeyedHelp } from '@/lib/contract/errors/help';
import { forcedBy } from '@/lib/contract/forced';
import { BASE_PATH, checkSignature, createBooking, sendTestEvent } from '@/lib/contract/operations';

/** What tells the causes of a refusal apart that have the same code and reason. */
type Refusal = Pick<
  LogEntry,
  'status' | 'code' | 'reason' | 'method' | 'route' | 'invalid_fields' | 'booking_reference' | 'external_reference'
> & {
  application_id: string | null;
  had_idempotency_key: boolean;
  environment: 'TEST' | 'LIVE';
};

/** Returns the help for a log entry, or null for a success and for an unknown code. */
export function helpOfEntry(entry: Refusal): KeyedHelp | null {
  const { code, reason } = entry;
  return code === null ? null : helpFor({ code, reason, case: caseOf(entry) });
}

const TEST_EVENTS = [sendTestEvent, checkSignature].map(({ path }) => BASE_PATH + path);

function caseOf(entry: Refusal): HelpCase | null {
  const { status, code, reason, route, invalid_fields, had_idempotency_key } = entry;
  if (status === 405) return 'wrongMethod';
  if (isForced(entry)) return 'forced';
  if (reason !== null) return null;
  if (code === 'invalid_request' && invalid_fields.length === 0) return unreadable(entry);
  // The quota is checked before the idempotency key is read (contract B2).
  const isBeyondQuota = !had_idempotency_key;
  if (code === 'rate_limited' && !isBeyondQuota && TEST_EVENTS.includes(route ?? '')) return 'waitingTestEvents';
  return null;
}

// Only what is not HTTP is refused as invalid before the key is checked.
function unreadable({ application_id, method }: Refusal): HelpCase {
  if (application_id === null) return 'notHttp';
  return method === 'GET' || method === 'HEAD' ? 'unreadableQuery' : 'unreadableBody';
}

const CREATE = BASE_PATH + createBooking.path;

/** A create that failed after its booking was made has the reference of that booking, so its 503 was not forced. */
function isForced({
  environment,
  method,
  route,
  code,
  reason,
  booking_reference,
  external_reference,
}: Refusal): boolean {
  if (environment !== 'TEST' || method !== createBooking.method || route !== CREATE) return false;
  if (booking_reference !== null || external_reference === null) return false;
  const word = forcedBy(external_reference);
  if (word === '503') return code === 'service_unavailable';
  if (word === '429') return code === 'rate_limited';
  return word === 'slot_taken' && reason === 'slot_taken';
}
