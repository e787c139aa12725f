import { TRPCError } from '@trpc/server';
import { type Member, memberOf, openSession } from '@/lib/access/owners/session';
import { AppError } from '@/lib/contract/errors/app-error';
import { createCallerFactory } from '@/lib/control-center/trpc/init';
import { appRouter } from '@/lib/control-center/trpc/router';
import { newId } from '@/lib/platform/ids';
import { freshAddress } from '@/tests/support/client';
import type { Person } from '@/tests/support/control-center';

const createCaller = createCallerFactory(appRouter);

/** The data or the error of a call, as JSON. */
export type Reply = { status: number; body: string };

/** Opens a session of a member. */
export async function memberIn({ userId, tenantId }: Person): Promise<Member> {
  const opening = { userId, method: 'password', address: freshAddress() } as const;
  const member = await memberOf((await openSession(new Date(), opening, null)) ?? '', new Date(), tenantId);
  if (member === null || member === 'outsider') throw new Error('no session');
  return member;
}

/**
 * Calls a procedure as the member or, if null, without a session. In this process, so that the test can record the
 * statements of the call.
 */
export async function callAs(
  { member }: { member: Member | null },
  path: string,
  request: string,
  now: Date,
): Promise<Reply> {
  const caller = createCaller({
    access: member,
    requestId: newId('req'),
    address: freshAddress(),
    now,
  });
  const procedure = path.split('.').reduce<unknown>((at, name) => Reflect.get(Object(at), name), caller);
  try {
    const data = await (procedure as (input: unknown) => Promise<unknown>)(JSON.parse(request));
    return { status: 200, body: JSON.stringify(data ?? null) };
  } catch (error) {
    const cause = error instanceof TRPCError ? error.cause : error;
    if (!(cause instanceof AppError)) throw error;
    const { status, code, reason, fields, message } = cause;
    return { status, body: JSON.stringify({ code, reason, fields, message }) };
  }
}
