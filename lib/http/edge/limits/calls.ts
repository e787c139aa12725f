import type { IncomingMessage, ServerResponse } from 'node:http';
import { cookieName } from '@/lib/access/owners/cookies';
import { knownSession } from '@/lib/access/owners/known-sessions';
import { AppError } from '@/lib/contract/errors/app-error';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { consumeAttempt, refundAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { refuseAttempt } from './attempts';
import { isCall } from './size';

/** Per client network and minute. A page whose session has ended sends a few, and then waits for the sign-in. */
const INVALID_PER_MINUTE = 120;

/** The JSON-RPC code that tRPC uses for UNAUTHORIZED. */
const UNAUTHORIZED = -32001;

/** Returns the response to all calls without a valid session. The tRPC client reads it as the result of each. */
export function signInRequired(): string {
  const { code, reason, fields, status, message } = new AppError('sign_in_required');
  return JSON.stringify({ error: { message, code: UNAUTHORIZED, data: { code, reason, fields, httpStatus: status } } });
}

/** Runs `run`, except for a tRPC request without a session, or from a network that sent too many invalid sessions. */
export async function whenSignedIn(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { path, address }: { path: string; address: string },
  res: ServerResponse,
  run: () => Promise<void>,
): Promise<void> {
  if (!isCall(path) || knownSession(headers.cookie) !== null) return run();
  if (!headers.cookie?.includes(`${cookieName('session')}=`)) return refuseCall(res);
  const name = `calls:${networkOf(address)}`;
  const { exceeded, retryAfter } = await consumeAttempt(name, INVALID_PER_MINUTE);
  if (exceeded) return refuseAttempt(res, retryAfter);
  await run();
  if (res.statusCode !== 401) await refundAttempt(name);
}

function refuseCall(res: ServerResponse): void {
  res.writeHead(401, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'private, no-store' });
  res.end(signInRequired());
}
