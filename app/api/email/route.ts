import { z } from 'zod';
import { answerOwnPage, readJson } from '@/app/_own-page';
import { currentPerson } from '@/app/_session';
import { changeAddressWithLink } from '@/lib/access/owners/address-change';
import { isToken } from '@/lib/access/owners/link-token';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { boundedText } from '@/lib/contract/bounded-text';
import { notFound } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';

const text = boundedText(1_024);

const body = z.strictObject({ token: text, password: text });

/** Changes the address of an account with a mailed link. */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, async () => {
    const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
    await throttleAddress(address);
    const parsed = body.safeParse(await readJson(request));
    if (!parsed.success) throw requestError(parsed.error);
    const { token, password } = parsed.data;
    if (!isToken(token)) throw notFound();
    await changeAddressWithLink(new Date(), { token, password, address, person: await currentPerson() });
    return { done: true };
  });
}
