import type { Translator } from '@/app/_components/language';
import { type Sent, send } from '@/app/(auth)/_components/send';

/** Sends the request that accepts an invitation. `body` is the body that `/api/invite` expects. */
export function accept(body: object, t: Translator<'signIn'>, tCommon: Translator<'common'>): Promise<Sent> {
  return send('/api/invite', body, t('invitation.endedNow'), tCommon);
}

/** Returns the id of the tenant that the person has joined. `body` is the response to `accept`. */
export function tenantOf(body: unknown): string {
  return (body as { tenant_id: string }).tenant_id;
}
