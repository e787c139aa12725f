import type { OperationId } from './operations';
import { RECORDED } from './recorded';

type Exchange = { request?: object; response: object };

/**
 * The examples in the documentation: one request and its response for each operation. All of them concern the same
 * booking. `tests/contract/examples.test.ts` recorded them and replaced real ids with those in `EXAMPLE_IDS`.
 */
export const EXAMPLES: Record<OperationId, Exchange> = RECORDED.operations;

/** One recorded event for each event type. */
export const RECORDED_EVENTS = RECORDED.events;
