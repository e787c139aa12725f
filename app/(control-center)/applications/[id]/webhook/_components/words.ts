import type { Attempt, DeliveryState, Endpoint, EventType } from '../../../../_components/api-types';
import { formatShare } from '../../../../requests/_components/format';

/** Types of events that can be delivered, with when each happens. */
export const EVENT_TEXTS: Record<EventType, string> = {
  'booking.created': 'A booking was made.',
  'booking.rescheduled': 'A booking moved to another time or specialist.',
  'booking.cancelled': 'A booking was cancelled, by the partner or by you.',
  'booking.completed': 'The visit took place.',
  'booking.no_show': 'The guest did not come.',
};

/** Every type, in the order of the contract. */
export const EVENT_TYPES = Object.keys(EVENT_TEXTS) as EventType[];

/** Days that a held delivery is kept at least (contract B11). */
export const HELD_DAYS = 30;

/** What an endpoint that is not active says of itself. */
export const REASON_TEXTS: Record<NonNullable<Endpoint['reason']>, { title: string; text: string }> = {
  owner: { title: 'Paused by an owner', text: 'Nothing is sent but test events until it is resumed.' },
  suspended: {
    title: 'Paused because the application is suspended',
    text: 'Nothing is sent but test events. It goes on by itself when the application is resumed.',
  },
  scope: {
    title: 'Paused because the application lost webhooks.manage',
    text: 'It goes on by itself when the policy has the scope again.',
  },
  gone: {
    title: 'Disabled because the receiver answered 410 Gone',
    text: 'That means: never send here again. Correct the URL or have the receiver repaired, send a test event, then re-enable it.',
  },
  failing: {
    title: 'Disabled because nothing succeeded for 120 hours',
    text: 'Attempts failed on three days or more, and not one succeeded. Have the receiver repaired, send a test event, then re-enable it.',
  },
};

/** The states of deliveries in words. */
export const STATE_NAMES: Record<DeliveryState, string> = {
  pending: 'Pending',
  held: 'Held',
  succeeded: 'Succeeded',
  failed: 'Failed',
};

/** Every state, in the order of the filter. */
export const STATES = Object.keys(STATE_NAMES) as DeliveryState[];

const ERRORS: Record<string, string> = {
  timeout: 'No answer within 15 seconds, or none about the receiver’s name within 5.',
  connection_refused: 'Nobody listens at this address and port.',
  connection_reset: 'The receiver cut the connection before it answered.',
  tls: 'No secure connection: the certificate or the TLS of the receiver was not accepted.',
  redirect: 'The receiver answered with a redirect; those are not followed. Set the URL to where it leads.',
  refused_address: 'The name leads to an address that is not on the public internet; nothing was sent there.',
  name_not_found: 'The name of the receiver could not be resolved.',
  unreachable: 'There is no way to the receiver’s network.',
  not_http: 'What answered does not speak HTTP.',
  insecure_url: 'The URL begins with http://, which is not allowed here; nothing was sent.',
  http_status: 'The receiver answered that it failed.',
  failed: 'The attempt failed for another reason; the server’s log may say more.',
};

/** Returns how an attempt went, in a sentence. */
export function outcomeOf({ error, status, interrupted, duration_ms }: Attempt): string {
  if (interrupted) return 'Interrupted before it ended, such as by a restart. It is made again with the same event id.';
  if (duration_ms === null) return 'Under way.';
  if (error === null) return 'Delivered.';
  if (status === 410) return 'The receiver answered 410 Gone: the endpoint was disabled.';
  if (status === 429) return 'The receiver asked to be sent less. Its Retry-After is honoured within limits.';
  return ERRORS[error] ?? ERRORS.failed ?? error;
}

/** Returns the share of attempts that succeeded, or that there were none. */
export function successRate({ attempts_24h: attempts, succeeded_24h: succeeded }: SuccessFigures): string {
  return attempts === 0 ? 'nothing sent' : formatShare(succeeded, attempts);
}

type SuccessFigures = { attempts_24h: number; succeeded_24h: number };
