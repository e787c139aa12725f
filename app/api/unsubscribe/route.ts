import { chooseMail, refusalOf } from '@/lib/activity/mail/unsubscribe';
import { env } from '@/lib/platform/env';

const HEADERS = { 'Cache-Control': 'private, no-store' };
const NOT_FOUND = { status: 404, headers: HEADERS };

const tokenIn = (request: Request) => new URL(request.url).searchParams.get('token') ?? '';

/**
 * Refuses a kind of notices. The signed token in the URL authorizes the request, which a mail program sends without a
 * cookie and without a page (RFC 8058). Its body is not read.
 */
export async function POST(request: Request): Promise<Response> {
  const refusal = refusalOf(tokenIn(request));
  if (!refusal) return new Response(null, NOT_FOUND);
  await chooseMail(refusal, false);
  return Response.json({ done: true }, { headers: HEADERS });
}

/** Opens the page with a button. A GET changes nothing, because mail programs open links to check them. */
export function GET(request: Request): Response {
  const token = tokenIn(request);
  if (!refusalOf(token)) return new Response(null, NOT_FOUND);
  return new Response(null, { status: 303, headers: { ...HEADERS, Location: `${env().origin}/unsubscribe/${token}` } });
}
