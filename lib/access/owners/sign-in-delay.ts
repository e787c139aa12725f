import { createHmac, timingSafeEqual } from 'node:crypto';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { acceptedTokenKeys, tokenKeyFor } from '@/lib/platform/secrets';
import { hasSignedInFrom } from './sign-in-record';

/** Attempts per account and minute without a delay, from all networks without an earlier sign-in. */
const FREE_ATTEMPTS = 10;
/** The delay grows by one second for every ten attempts above `FREE_ATTEMPTS`. */
const MAX_SECONDS = 10;
const ATTEMPTS_PER_SECOND = 10;
const MOST = FREE_ATTEMPTS + MAX_SECONDS * ATTEMPTS_PER_SECOND;
/** Milliseconds for which a ticket is valid after the delay. */
const TICKET_LIFE = 60_000;

/** The client sends the attempt again after `seconds`, with `ticket`, which proves the wait. */
export type Delay = { seconds: number; ticket: string };

type Attempt = { account: string; address: string; ticket: string };

/** `delay` is null if the password may be checked now. `crowded`: above `FREE_ATTEMPTS` in this minute, or waited. */
type Turn = { delay: Delay | null; crowded: boolean };

/**
 * Counts an attempt and returns whether its password may be checked now. The delay slows down guesses from many
 * addresses, but does not lock the account: after the wait, the right password works from any address. The client
 * waits, because a request that waits on the server would count toward the limit on concurrent page requests.
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

/** Subtracts an attempt with the right password from the account's counter. */
export async function refundAccount(account: string): Promise<void> {
  await refundAttempt(counterOf(account));
}

const counterOf = (account: string) => `sign-in-account:${account}`;

/** Valid for one account and one network from `time` (epoch milliseconds). */
function ticketFor(account: string, address: string, time: number, key = tokenKeyFor('sign-in')): string {
  const text = `${time} ${account} ${networkOf(address)}`;
  return `${time}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

/** False if the ticket is not valid at `now` or was redeemed before. */
async function redeem(ticket: string, account: string, address: string, now: Date): Promise<boolean> {
  const time = Number(/^(\d{13})\./.exec(ticket)?.[1]);
  if (!(time <= now.getTime() && now.getTime() < time + TICKET_LIFE)) return false;
  const given = Buffer.from(ticket);
  const matches = (key: Buffer) => {
    const expected = Buffer.from(ticketFor(account, address, time, key));
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  if (!acceptedTokenKeys('sign-in').some(matches)) return false;
  return !(await consumeAttempt(`sign-in-ticket:${ticket}`, 1)).exceeded;
}
