import type { Attempt, DeliveryState, Endpoint, EventType } from '../../../../_components/api-types';
import { formatShare } from '../../../../requests/_components/format';

/** The event types with their descriptions. */
export const EVENT_TEXTS: Record<EventType, string> = {
  'booking.created': 'A booking was created.',
  'booking.rescheduled': 'A booking was moved to another time or specialist.',
  'booking.updated':
    'The rules of the time zone changed, and the appointment keeps its local time; or a completion or a no-show was undone.',
  'booking.cancelled': 'A booking was canceled by the partner or by the business.',
  'booking.completed': 'The customer’s visit took place.',
  'booking.no_show': 'The customer did not show up.',
  'booking.upcoming': 'A booking starts in 24 hours, and again in 2. For reminders that the partner sends.',
  'booking.anonymized': 'The business erased the customer. The partner should do the same.',
  'availability.changed':
    'Free slots may have changed, by anyone. At most every 5 seconds. For partners that show slots.',
  'catalog.changed': 'The catalog that the partner can read changed.',
};

/** Not among the types of a new endpoint: no change of a booking, and possibly many. */
const OPT_IN: readonly EventType[] = ['booking.upcoming', 'availability.changed', 'catalog.changed'];

/** All event types, in the order of the contract. */
export const EVENT_TYPES = Object.keys(EVENT_TEXTS) as EventType[];

/** The types that a new endpoint receives: one event for every version of a booking, and the erasure of its customer. */
export const CHANGE_TYPES = EVENT_TYPES.filter((type) => !OPT_IN.includes(type));

/** The minimum number of days that a held delivery is kept (contract B11). */
export const HELD_DAYS = 30;

/** For each reason, a title and a text that explain why an endpoint is not active. */
export const REASON_TEXTS: Record<NonNullable<Endpoint['reason']>, { title: string; text: string }> = {
  owner: { title: 'Paused by an owner', text: 'Only test events are sent until an owner resumes the endpoint.' },
  suspended: {
    title: 'Paused because the application is suspended',
    text: 'Only test events are sent. The endpoint resumes when an owner resumes the application.',
  },
  scope: {
    title: 'Paused because the policy no longer has the webhooks.manage scope',
    text: 'The endpoint resumes when an owner adds the scope back to the policy.',
  },
  gone: {
    title: 'Disabled because the receiver responded with 410 Gone',
    text: 'A 410 response means that the receiver no longer accepts events. Correct the URL, or ask the partner to fix the receiver. Then send a test event and re-enable the endpoint.',
  },
  failing: {
    title: 'Disabled because no delivery succeeded for 120 hours',
    text: 'Attempts failed on at least three days, and none succeeded. Ask the partner to fix the receiver. Then send a test event and re-enable the endpoint.',
  },
};

/** The names of the delivery states. */
export const STATE_NAMES: Record<DeliveryState, string> = {
  pending: 'Pending',
  held: 'Held',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

/** All delivery states, in the order of the filter. */
export const STATES = Object.keys(STATE_NAMES) as DeliveryState[];

const ERRORS: Record<string, string> = {
  timeout: 'No response within 15 seconds, or no DNS response within 5 seconds.',
  connection_refused: 'The connection was refused.',
  connection_reset: 'The receiver closed the connection before it responded.',
  tls: 'No TLS connection could be established. Check the receiver’s certificate and TLS settings.',
  redirect: 'The receiver responded with a redirect, which is not followed. Set the URL to the redirect’s target.',
  refused_address: 'The host resolves to an address that is not public. Nothing was sent.',
  name_not_found: 'The host could not be resolved.',
  unreachable: 'The receiver’s network is unreachable.',
  not_http: 'The response was not valid HTTP.',
  secret_unreadable:
    'The endpoint’s secret cannot be decrypted, so the attempt could not be signed. Nothing was sent. Rotate the secret, and give the new one to the partner.',
  insecure_url: 'http:// URLs are not allowed. Nothing was sent.',
  http_status: 'The receiver responded with an error.',
  failed: 'The attempt failed. See the server log for the reason.',
};

const SHORT_ERRORS: Record<string, string> = {
  timeout: 'timeout',
  connection_refused: 'refused',
  connection_reset: 'connection lost',
  tls: 'no TLS',
  refused_address: 'private address',
  name_not_found: 'unknown host',
  unreachable: 'unreachable',
  not_http: 'no HTTP',
};

/** Returns the status that a receiver responded with or, without a response, the cause in a word or two. */
export function answerText({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  if (status !== null) return String(status);
  return SHORT_ERRORS[error ?? ''] ?? 'not sent';
}

/** Returns the outcome of an attempt as a sentence. */
export function outcomeOf({ error, status, interrupted, duration_ms }: Attempt): string {
  if (interrupted) return 'Interrupted, for example by a restart. The attempt is repeated with the same event ID.';
  if (duration_ms === null) return 'In progress.';
  if (error === null) return 'Delivered.';
  if (status === 410) return 'The receiver responded with 410 Gone, so the endpoint was disabled.';
  if (status === 429)
    return 'The receiver responded with 429 Too Many Requests. A Retry-After header can lengthen the delay before the next attempt, up to twice the usual delay.';
  return ERRORS[error] ?? ERRORS.failed ?? error;
}

/**
 * Returns the percentage of attempts that succeeded in the last 24 hours, or `Nothing sent` if there were no attempts.
 */
export function successRate({ attempts_24h: attempts, succeeded_24h: succeeded }: SuccessFigures): string {
  return attempts === 0 ? 'Nothing sent' : formatShare(succeeded, attempts);
}

type SuccessFigures = { attempts_24h: number; succeeded_24h: number };
