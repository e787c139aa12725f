import type { OperationId } from './operations';
import { RECORDED } from './recorded';

/** The body of a request, if the operation has one, and the body of its success. */
type Exchange = { request?: object; response: object };

/**
 * The examples of the documentation: an exchange of each operation, and an event of each type. A run recorded them
 * (`tests/contract/examples.test.ts`), and its ids were replaced by those of `EXAMPLE_IDS`. All are about one booking.
 */
export const EXAMPLES: Record<OperationId, Exchange> = RECORDED.operations;

/** An example event of each type. */
export const RECORDED_EVENTS = RECORDED.events;
