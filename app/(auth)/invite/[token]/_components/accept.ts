import { type Sent, send } from '@/app/(auth)/_components/send';

/** Accepts an invitation. */
export function accept(body: object): Promise<Sent> {
  return send('/api/invite', body, 'This link no longer works. Ask an owner for a new one.');
}
