/** What came of it: done, or what is wrong and at which field. */
export type Sent = { ok: true } | { ok: false; message: string; fields: Record<string, string> };

type Failure = { error?: { message?: string; code?: string; fields?: { path: string; message: string }[] } };

/**
 * Sends what a link's page asks for; the token travels in the body, never in an address.
 * @param ended what to say when the link does not work any more.
 */
export async function send(path: '/api/invite' | '/api/setup', body: object, ended: string): Promise<Sent> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (response?.ok) return { ok: true };
  const { error } = ((await response?.json().catch(() => null)) ?? {}) as Failure;
  const fields = Object.fromEntries((error?.fields ?? []).map(({ path, message }) => [path, `It ${message}.`]));
  return { ok: false, message: error?.code === 'not_found' ? ended : messageOf(error), fields };
}

function messageOf(error: Failure['error']): string {
  if (error?.code === 'rate_limited') return 'Too many attempts. Wait a minute, then try again.';
  return error?.message ?? 'The server cannot be reached. Try again in a moment.';
}
