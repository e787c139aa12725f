import { AppError } from '@/lib/contract/errors/app-error';
import { translateError } from '@/lib/control-center/messages/errors';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { toAppError } from '@/lib/platform/unexpected';
import { currentLanguage } from './_components/messages';

/**
 * Returns whether a request comes from the Control Center's pages: it has a header that other sites cannot set, and
 * `sec-fetch-site` and `origin` do not name another origin.
 */
export function isOwnPage({ headers }: Request): boolean {
  if (headers.get('x-partner-booking') !== 'control-center') return false;
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = headers.get('origin');
  return origin === null || origin === env().origin;
}

/** Returns the parsed JSON body of a request. Returns null if the body or its Content-Type is not JSON. */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(request.headers.get('content-type') ?? '')) return null;
  return request.json().catch(() => null);
}

const HEADERS = { 'Cache-Control': 'private, no-store' };

/**
 * Handles a request of a Control Center page by running `work`. Responds with 200 and the result of `work`, or with the
 * error that `work` throws. Responds with 403 if the request does not come from a Control Center page. Use this instead of tRPC if the
 * user is not yet a member of the tenant, such as when accepting an invitation. Every tRPC procedure requires a member.
 */
export async function answerOwnPage(request: Request, work: () => Promise<object>): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: HEADERS });
  const requestId = newId('req');
  try {
    return Response.json(await work(), { headers: HEADERS });
  } catch (caught) {
    const error = caught instanceof AppError ? caught : toAppError(caught, requestId);
    const { status, retryAfter } = error;
    const headers = { ...HEADERS, ...(retryAfter ? { 'Retry-After': String(retryAfter) } : {}) };
    return Response.json({ error: await inReadersLanguage(error) }, { status, headers });
  }
}

/** Returns what a page shows about an error, in the language of the current request. */
export async function inReadersLanguage({ code, fields, message }: AppError) {
  const { language } = await currentLanguage();
  const translated = fields?.map((field) => ({ ...field, message: translateError(language, field.message) }));
  return { code, fields: translated, message: translateError(language, message) };
}
