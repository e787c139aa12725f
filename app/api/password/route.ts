import { z } from 'zod';
import { answerOwnPage, readJson } from '@/app/_own-page';
import { isToken } from '@/lib/access/owners/link-token';
import { requestPasswordLink, setPasswordWithLink } from '@/lib/access/owners/password-link';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { boundedText } from '@/lib/contract/bounded-text';
import { notFound } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';

const text = boundedText(1_024);

/** An address to which a link is mailed, or the token of such a link with the new password. */
const body = z.union([z.strictObject({ email: text }), z.strictObject({ token: text, password: text })]);

/** Mails a link for a new password, or sets the password with such a link. */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, async () => {
    const now = new Date();
    const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
    const parsed = body.safeParse(await readJson(request));
    if (!parsed.success) throw requestError(parsed.error);
    const { data } = parsed;
    if ('email' in data) await requestPasswordLink(now, data.email, address);
    else {
      await throttleAddress(address);
      if (!isToken(data.token)) throw notFound();
      await setPasswordWithLink(now, data.token, data.password);
    }
    return { done: true };
  });
}
