import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import type { Attempt, DeliveryState, EventType } from '../../../../_components/api-types';

/**
 * The event types, in the order of the contract, and whether a new endpoint receives them: one event for every version of
 * a booking, and the erasure of its customer. The others are no change of a booking, and possibly many.
 */
const RECEIVED: Record<EventType, boolean> = {
  'booking.created': true,
  'booking.rescheduled': true,
  'booking.updated': true,
  'booking.cancelled': true,
  'booking.completed': true,
  'booking.no_show': true,
  'booking.upcoming': false,
  'booking.anonymized': true,
  'availability.changed': false,
  'catalog.changed': false,
};

/** All event types, in the order of the contract. */
export const EVENT_TYPES = Object.keys(RECEIVED) as EventType[];

/** The types that a new endpoint receives. */
export const CHANGE_TYPES = EVENT_TYPES.filter((type) => RECEIVED[type]);

/** The minimum number of days that a held delivery is kept (contract B11). */
export const HELD_DAYS = 30;

const STATE_ORDER: Record<DeliveryState, true> = { pending: true, held: true, succeeded: true, failed: true };

/** All delivery states, in the order of the filter. */
export const STATES = Object.keys(STATE_ORDER) as DeliveryState[];

/** The causes of a failed attempt, and whether a short text names the cause in a table. */
const CAUSES = {
  timeout: true,
  connection_refused: true,
  connection_reset: true,
  tls: true,
  redirect: false,
  refused_address: true,
  name_not_found: true,
  unreachable: true,
  not_http: true,
  secret_unreadable: false,
  insecure_url: false,
  http_status: false,
  failed: false,
} as const;

type Cause = keyof typeof CAUSES;
type ShortCause = { [Each in Cause]: (typeof CAUSES)[Each] extends true ? Each : never }[Cause];

function isCause(error: string): error is Cause {
  return Object.hasOwn(CAUSES, error);
}

function isShortCause(error: string): error is ShortCause {
  return isCause(error) && CAUSES[error];
}

/** Returns the status that a receiver responded with or, without a response, the cause in a word or two. */
export function answerText(t: Translator<'webhooks.causes'>, { status, error }: Pick<Attempt, 'status' | 'error'>) {
  if (status !== null) return String(status);
  return t(error !== null && isShortCause(error) ? error : 'not_sent');
}

/** Returns the outcome of an attempt as a sentence. */
export function outcomeOf(t: Translator<'webhooks.outcomes'>, attempt: Attempt): string {
  const { error, status, interrupted, duration_ms } = attempt;
  if (interrupted) return t('interrupted');
  if (duration_ms === null) return t('inProgress');
  if (error === null) return t('delivered');
  if (status === 410) return t('gone');
  if (status === 429) return t('tooMany');
  return t(isCause(error) ? error : 'failed');
}

/** Returns the percentage of attempts that succeeded in the last 24 hours, or `Nothing sent` if there were no attempts. */
export function rateText(
  t: Translator<'applications.endpointState'>,
  format: Formats,
  { attempts_24h: attempts, succeeded_24h: succeeded }: SuccessFigures,
): string {
  return attempts === 0 ? t('nothingSent') : format.percent(succeeded / attempts, 1);
}

type SuccessFigures = { attempts_24h: number; succeeded_24h: number };
