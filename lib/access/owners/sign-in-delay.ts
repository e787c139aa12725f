import { createHmac, timingSafeEqual } from 'node:crypto';
import { secretFor } from '@/lib/platform/env';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { hasSignedInFrom } from './sign-in-record';

/** Number of attempts per minute on an account, from all addresses together, that are checked at once. */
const FREE_ATTEMPTS = 10;
/** Each further ten attempts lengthen the delay by a second, up to this number of seconds. */
const MAX_SECONDS = 10;
const ATTEMPTS_PER_SECOND = 10;
const MOST = FREE_ATTEMPTS + MAX_SECONDS * ATTEMPTS_PER_SECOND;
/** Milliseconds for which a ticket is valid after its delay. */
const TICKET_LIFE = 60_000;

/** An attempt that is checked only when it is sent again with `ticket` after `seconds`. */
export type Delay = { seconds: number; ticket: string };

type Attempt = { account: string; address: string; ticket: string };

/** `delay` is null if the password may be checked now. `crowded` states whether the free attempts are used up. */
type Turn = { delay: Delay | null; crowded: boolean };

/**
 * Counts an attempt on an account, from any address, and returns when it is checked. Above the free attempts, an address from which nobody has signed in to this account must wait: a guesser with many addresses is
 * slowed down, and the right password still works from every address. The wait is a ticket, because a request that waits
 * on the server would hold one of the few places for pages.
 */
export async function turnOf({ account, address, ticket }: Attempt, now: Date): Promise<Turn> {
  if (ticket !== '' && (await redeem(ticket, account, address, now))) return { delay: null, crowded: true };
  const { remaining } = await consumeAttempt(counterOf(account), MOST);
  const excess = MOST - remaining - FREE_ATTEMPTS;
  if (excess <= 0) return { delay: null, crowded: false };
  if (await hasSignedInFrom(account, address)) return { delay: null, crowded: true };
  const seconds = Math.min(MAX_SECONDS, Math.ceil(excess / ATTEMPTS_PER_SECOND));
  return { delay: { seconds, ticket: ticketFor(account, address, now.getTime() + seconds * 1000) }, crowded: true };
}

/** Subtracts the attempt with the right password. */
export async function refundAccount(account: string): Promise<void> {
  await refundAttempt(counterOf(account));
}

const counterOf = (account: string) => `sign-in-account:${account}`;

/** Returns a ticket that is valid from `time` on, in milliseconds, for one account and one network. */
function ticketFor(account: string, address: string, time: number): string {
  const text = `${time} ${account} ${networkOf(address)}`;
  return `${time}.${createHmac('sha256', secretFor('sign-in')).update(text).digest('base64url')}`;
}

/** Returns whether a ticket is valid now. It is accepted once. */
async function redeem(ticket: string, account: string, address: string, now: Date): Promise<boolean> {
  const time = Number(/^(\d{13})\./.exec(ticket)?.[1]);
  if (!(time <= now.getTime() && now.getTime() < time + TICKET_LIFE)) return false;
  const [given, expected] = [Buffer.from(ticket), Buffer.from(ticketFor(account, address, time))];
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return !(await consumeAttempt(`sign-in-ticket:${ticket}`, 1)).exceeded;
}
