import type { OperationId } from './operations';
import { RECORDED } from './recorded';

/** An operation's request body, if it has one, and the body of its success response. */
type Exchange = { request?: object; response: object };

/**
 * The examples in the documentation: one exchange for each operation. `tests/contract/examples.test.ts` recorded them
 * and replaced the real ids with the ids in `EXAMPLE_IDS`. All bookings in the examples are the same booking.
 */
export const EXAMPLES: Record<OperationId, Exchange> = RECORDED.operations;

/** One example event for each event type, recorded in the same test run as `EXAMPLES`. */
export const RECORDED_EVENTS = RECORDED.events;
