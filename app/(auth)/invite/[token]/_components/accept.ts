import { type Sent, send } from '@/app/(auth)/_components/send';

/** Sends the request that accepts an invitation. `body` is the body that `/api/invite` expects. */
export function accept(body: object): Promise<Sent> {
  return send('/api/invite', body, 'This link no longer works. Ask an owner for a new link.');
}

/** Returns the id of the tenant that the person has joined. `body` is the response to `accept`. */
export function tenantOf(body: unknown): string {
  return (body as { tenant_id: string }).tenant_id;
}
