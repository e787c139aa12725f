import { BASE_PATH, sendTestEvent } from '@/lib/contract/operations';
import { type Desk, post, type Sending } from '@/tests/support/bookings';

/** The path of `POST /webhooks/test-events`. */
export const TEST_EVENTS = BASE_PATH + sendTestEvent.path;

/** Sends a test event with the client of a desk (see `makeDesk`). */
export const sendTo = ({ client }: Pick<Desk, 'client'>, body: unknown = {}, sending?: Sending) =>
  post(client, TEST_EVENTS, sendTestEvent, body, sending);
