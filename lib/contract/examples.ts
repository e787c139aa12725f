import type { OperationId } from './operations';
import { RECORDED } from './recorded';

/** An operation's request body, if it has one, and the body of its success response. */
type Exchange = { request?: object; response: object };

/**
 * The examples in the documentation: one exchange for each operation. `tests/contract/examples.test.ts` recorded them
 * and replaced the real ids with those in `EXAMPLE_IDS`. All examples are about one booking.
 */
export const EXAMPLES: Record<OperationId, Exchange> = RECORDED.operations;

/** One example event for each type, recorded in the same run. */
export const RECORDED_EVENTS = RECORDED.events;
