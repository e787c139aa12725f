import { z } from 'zod';
import { answerOwnPage, readJson } from '@/app/_own-page';
import { currentPerson } from '@/app/_session';
import { acceptInvitation, joinSignedIn } from '@/lib/access/owners/accept';
import { takeOver } from '@/lib/access/owners/address-proof';
import { isToken, tokenIn } from '@/lib/access/owners/link-token';
import type { SignedIn } from '@/lib/access/owners/session';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';

const text = boundedText(1_024);

/** The body of a person who has proven an address and joins a tenant as its member with this address. */
const takingOver = z.strictObject({ take_over: recordId });

/** With `signed_in`, the signed-in user accepts the invitation. Otherwise, `name` and `password` are for a new account. */
const body = z.union([
  z.strictObject({ token: text, name: text, password: text }),
  z.strictObject({ token: text, signed_in: z.literal(true) }),
]);

/**
 * Accepts an invitation, which the invitation's token authorizes, or takes over an account with the address of the
 * signed-in user. Responds with the id of the tenant.
 */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, () => accept(request));
}

async function accept(request: Request): Promise<{ tenant_id: string }> {
  const now = new Date();
  const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
  await throttleAddress(address);
  const given = await readJson(request);
  const taking = takingOver.safeParse(given);
  if (taking.success) {
    const person = await presentPerson();
    if (!person) throw new AppError('sign_in_required');
    await takeOver(now, person, taking.data.take_over);
    return { tenant_id: taking.data.take_over };
  }
  if (!isToken(tokenIn(given))) throw notFound();
  const parsed = body.safeParse(given);
  if (!parsed.success) throw requestError(parsed.error);
  const { data } = parsed;
  const person = await presentPerson();
  if (!('signed_in' in data)) return { tenant_id: await acceptInvitation(now, { ...data, person }) };
  if (!person) throw new AppError('sign_in_required');
  return { tenant_id: await joinSignedIn(now, { token: data.token, person }) };
}

/** Returns the signed-in person or null. Refuses a person who must first change the password. */
async function presentPerson(): Promise<SignedIn | null> {
  const person = await currentPerson();
  if (person?.mustChangePassword) throw new AppError('password_change_required');
  return person;
}
