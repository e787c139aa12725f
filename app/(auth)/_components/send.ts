import type { Translator } from '@/app/_components/language';

/** The result of `send`. `body` is the response; `fields` maps the names of invalid fields to error messages. */
export type Sent = { ok: true; body: unknown } | { ok: false; message: string; fields: Record<string, string> };

type Failure = { error?: { message?: string; code?: string; fields?: { path: string; message: string }[] } };

/**
 * Submits the form of an invitation, a setup link, or a mailed link for a new password or address. The link's token is
 * sent in `body` instead of the URL, because the server logs URLs but not bodies.
 * @param ended The error message if the link no longer works.
 */
export async function send(
  path: '/api/email' | '/api/invite' | '/api/password' | '/api/setup',
  body: object,
  ended: string,
  t: Translator<'common'>,
): Promise<Sent> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (response?.ok) return { ok: true, body: await response.json().catch(() => null) };
  const { error } = ((await response?.json().catch(() => null)) ?? {}) as Failure;
  const fields = Object.fromEntries(
    (error?.fields ?? []).map(({ path, message }) => [path, t('fieldProblem', { message })]),
  );
  return { ok: false, message: error?.code === 'not_found' ? ended : messageOf(error, t), fields };
}

function messageOf(error: Failure['error'], t: Translator<'common'>): string {
  if (error?.code === 'rate_limited') return t('signIn.tooMany');
  return error?.message ?? t('signIn.unreachable');
}
