import { z } from 'zod';
import { isOwnPage } from '@/app/_own-page';
import { currentMember } from '@/app/_session';
import { systemClock } from '@/lib/clock';
import { AppError } from '@/lib/errors/app-error';
import { toAppError } from '@/lib/errors/unexpected';
import { newId } from '@/lib/ids';
import { acceptInvitation, joinSignedIn } from '@/lib/owners/accept';
import { EDGE_HEADERS } from '@/lib/partner-api/call';
import { requestError } from '@/lib/partner-api/request-error';

const text = z.string().max(1024);

/** With a name and a password, or as who one is signed in as. */
const body = z.union([
  z.strictObject({ token: text, name: text, password: text }),
  z.strictObject({ token: text, signed_in: z.literal(true) }),
]);

const HEADERS = { 'Cache-Control': 'private, no-store' };

/** Accepts an invitation. Whoever has the link may: it is not a procedure, all of which want a session. */
export async function POST(request: Request): Promise<Response> {
  if (!isOwnPage(request)) return new Response(null, { status: 403, headers: HEADERS });
  const requestId = newId('req');
  try {
    await accept(request);
    return Response.json({ accepted: true }, { headers: HEADERS });
  } catch (caught) {
    const error = caught instanceof AppError ? caught : toAppError(caught, requestId);
    const { code, fields, message, status, retryAfter } = error;
    const headers = { ...HEADERS, ...(retryAfter ? { 'Retry-After': String(retryAfter) } : {}) };
    return Response.json({ error: { code, fields, message } }, { status, headers });
  }
}

async function accept(request: Request): Promise<void> {
  const parsed = body.safeParse(await request.json().catch(() => null));
  if (!parsed.success) throw requestError(parsed.error);
  const now = systemClock();
  const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
  const { data } = parsed;
  if (!('signed_in' in data)) return acceptInvitation(now, { ...data, address });
  const member = await currentMember();
  if (!member) throw new AppError('sign_in_required');
  await joinSignedIn(now, { token: data.token, address, member });
}
