import { createHash } from 'node:crypto';
import { db } from '@/lib/platform/db';
import type { inngestSettings } from '@/lib/platform/env';

/** Milliseconds for which a check is valid. A server checks every few seconds. */
const CHECK_VALID = 30_000;
const TIMEOUT_MS = 3_000;

/** `registered`: Inngest had the functions and accepted events less than `CHECK_VALID` milliseconds ago. */
export type InngestStatus = { registered: boolean; problem: string | null };

/** Records a check of Inngest. `problem` is null if it succeeded. */
export async function recordInngest(now: Date, problem: string | null): Promise<void> {
  await db().environment.updateMany({ data: { inngestCheckedAt: now, inngestProblem: problem } });
}

/** Returns the last check of Inngest, whichever process made it. */
export async function readInngest(now: Date): Promise<InngestStatus> {
  const row = await db().environment.findFirst();
  const checkedAt = row?.inngestCheckedAt ?? null;
  const problem = row?.inngestProblem ?? null;
  const recent = checkedAt !== null && now.getTime() - checkedAt.getTime() < CHECK_VALID;
  return { registered: recent && problem === null, problem };
}

type InngestSettings = Pick<
  ReturnType<typeof inngestSettings>,
  'appId' | 'isDev' | 'baseUrl' | 'eventKey' | 'signingKey' | 'signingKeyFallback'
>;

function urlOf({ baseUrl, isDev }: InngestSettings, cloud: string, path: string): string {
  return new URL(path, baseUrl ?? (isDev ? 'http://localhost:8288' : cloud)).href;
}

/** Returns why Inngest does not accept events with this event key, or null. */
export async function askAboutEvents(settings: InngestSettings, stopping?: AbortSignal): Promise<string | null> {
  const url = urlOf(settings, 'https://inn.gs', `/e/${encodeURIComponent(settings.eventKey ?? 'none')}`);
  // Inngest checks the key before it reads the events, of which there are none.
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '[]' };
  return statusProblem('events', url, init, stopping);
}

/** Returns why Inngest lacks this deployment's functions, or null. During a rotation, it knows only one of the keys. */
export async function askAboutFunctions(settings: InngestSettings): Promise<string | null> {
  const { appId, signingKey, signingKeyFallback } = settings;
  const url = urlOf(settings, 'https://api.inngest.com', `/v1/apps/${appId}/functions`);
  const ask = (key = '') =>
    statusProblem('functions', url, { headers: { Authorization: `Bearer ${hashed(key)}` } }, undefined, (text) =>
      text.startsWith('[{') ? null : 'functions: not registered',
    );
  const problem = await ask(signingKey);
  return signingKeyFallback && /: HTTP 40[13]$/.test(problem ?? '') ? ask(signingKeyFallback) : problem;
}

/** Inngest's API accepts a hash of the signing key: of the key's bytes, after its prefix. */
function hashed(signingKey: string): string {
  const [, prefix = '', hex = ''] = /^(signkey-\w+-)?(.*)$/.exec(signingKey) ?? [];
  return prefix + createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
}

async function statusProblem(
  subject: string,
  url: string,
  init: RequestInit,
  stopping?: AbortSignal,
  judge: (text: string) => string | null = () => null,
): Promise<string | null> {
  try {
    const response = await fetchInngest(url, init, stopping);
    return response.ok ? judge((await response.text()).trim()) : `${subject}: HTTP ${response.status}`;
  } catch {
    return 'no response';
  }
}

/** Calls Inngest with a timeout. `stopping` aborts the call too. */
export async function fetchInngest(
  input: string | URL | Request,
  init?: RequestInit,
  stopping?: AbortSignal,
): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, TIMEOUT_MS);
  stopping?.addEventListener('abort', abort);
  try {
    if (stopping?.aborted) abort();
    const response = await fetch(input, { ...init, cache: 'no-store', signal: controller.signal });
    // Before the timer is cleared, so that the timeout also limits reading the body.
    const body = await response.arrayBuffer();
    return new Response(body, { status: response.status, headers: response.headers });
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', abort);
  }
}
