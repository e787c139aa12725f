/** What came of accepting: the way in is open, or what is wrong and at which field. */
export type Accepted = { ok: true } | { ok: false; message: string; fields: Record<string, string> };

type Failure = { error?: { message?: string; code?: string; fields?: { path: string; message: string }[] } };

/** Accepts an invitation; the token travels in the body, never in an address. */
export async function accept(body: object): Promise<Accepted> {
  const response = await fetch('/api/invite', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-partner-booking': 'control-center' },
    body: JSON.stringify(body),
  }).catch(() => null);
  if (response?.ok) return { ok: true };
  const { error } = ((await response?.json().catch(() => null)) ?? {}) as Failure;
  const fields = Object.fromEntries((error?.fields ?? []).map(({ path, message }) => [path, `It ${message}.`]));
  return { ok: false, message: messageOf(error), fields };
}

function messageOf(error: Failure['error']): string {
  if (error?.code === 'not_found') return 'This link does not work any more. Ask an owner for a new one.';
  if (error?.code === 'rate_limited') return 'Too many attempts. Wait a minute, then try again.';
  return error?.message ?? 'The server cannot be reached. Try again in a moment.';
}
