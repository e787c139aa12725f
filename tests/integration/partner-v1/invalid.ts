import { BASE_PATH, type Operation } from '@/lib/contract/operations';
import { newBookingReference } from '@/lib/platform/ids';
import { createClient, type Reply } from '@/tests/support/client';

/** Returns the path of an operation, with the reference of an unknown booking. */
export const pathOf = ({ path }: Operation) => BASE_PATH + path.replace('{pbr_reference}', newBookingReference());

/** Sends a request whose query, idempotency key, and body are all invalid. */
export function sendInvalid(operation: Operation, { origin, key }: { origin: string; key?: string }): Promise<Reply> {
  const { method } = operation;
  const body = operation.body ? '{' : undefined;
  return createClient({ origin, key })(`${pathOf(operation)}?unknown=%ff`, { method, body });
}
