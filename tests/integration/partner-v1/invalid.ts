import type { Operation } from '@/lib/contract/operations';
import { newBookingReference } from '@/lib/platform/ids';
import { createClient, type Reply } from '@/tests/support/client';
import { pathWith } from '../isolation/requests';

type Target = Pick<Operation, 'method' | 'path' | 'body'>;
type Sender = { origin: string; key?: string | undefined; headers?: Record<string, string> };

/** Sends a request whose query, idempotency key, and body are all invalid. */
export function sendInvalid(target: Target, { origin, key, headers }: Sender): Promise<Reply> {
  const path = pathWith(target, newBookingReference());
  const body = target.body ? '{' : undefined;
  return createClient({ origin, key })(`${path}?unknown=%ff`, { method: target.method, headers, body });
}
