import { AppError } from '@/lib/contract/errors/app-error';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { toAppError } from '@/lib/platform/unexpected';

/**
 * Tells whether a call comes from our own pages: it carries a header that a form or a link of another site cannot set,
 * and a browser says where it comes from.
 */
export function isOwnPage({ headers }: Request): boolean {
  if (headers.get('x-partner-booking') !== 'control-center') return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin === null || origin === env().origin;
}

const HEADERS = { 'Cache-Control': 'private, no-store' };

/**
 * Answers a call of one of our own pages that no procedure can take, since all of those want a session: 200 once `work`
 * is done, else its error; 403 without a body when somebody else calls.
 */
export async function answerOwnPage(request: Request, work: () => Promise<void>): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: HEADERS });
  const requestId = newId('req');
  try {
    await work();
    return Response.json({ done: true }, { headers: HEADERS });
  } catch (caught) {
    const error = caught instanceof AppError ? caught : toAppError(caught, requestId);
    const { code, fields, message, status, retryAfter } = error;
    const headers = { ...HEADERS, ...(retryAfter ? { 'Retry-After': String(retryAfter) } : {}) };
    return Response.json({ error: { code, fields, message } }, { status, headers });
  }
}
