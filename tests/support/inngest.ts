import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const EVENT_KEY = 'event-key-for-tests';
export const SIGNING_KEY = `signkey-test-${'0123456789abcdef'.repeat(4)}`;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type SentEvent = { name: string; data: { application_id: string; running: string } };

export type RegisteredFunction = { id: string; triggers: unknown[]; steps: { step: unknown } };

type Registration = { authorization: string; url: string; appName: string; functions: RegisteredFunction[] };

/** On loopback. */
export type FakeInngest = {
  url: string;
  events: SentEvent[];
  registrations: Registration[];
  functions: () => string;
  /** Includes requests that it answered with an error. */
  calls: () => number;
  answer: (status: number) => void;
  accept: (eventKey: string) => void;
  /** The only signing key that it knows from now on. */
  know: (signingKey: string) => void;
  /** As a server that lost its database. */
  forget: () => void;
  close: () => Promise<void>;
};

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

export async function startFakeInngest(): Promise<FakeInngest> {
  const events: SentEvent[] = [];
  const registrations: Registration[] = [];
  let [calls, status, key, signingKey, functions] = [0, 200, EVENT_KEY, SIGNING_KEY, '[]'];
  const server = createServer(async (req, res) => {
    const text = await bodyOf(req);
    calls += 1;
    const send = (value: object | string, code = status) =>
      res
        .writeHead(code, { 'Content-Type': 'application/json' })
        .end(typeof value === 'string' ? value : JSON.stringify(value));
    if (status !== 200) return send({ status, error: 'not now' });
    if (req.url?.startsWith('/v1/apps/'))
      return req.headers.authorization === bearer(signingKey) ? send(functions) : send('Authentication failed', 401);
    const body = JSON.parse(text);
    if (req.url === '/fn/register') {
      registrations.push({ ...body, authorization: req.headers.authorization ?? '' });
      functions = JSON.stringify(body.functions);
      return send({ ok: true, modified: true });
    }
    if (req.url !== `/e/${key}`) return send({ error: 'Event key not found', status: 401 }, 401);
    events.push(...body);
    send({ ids: body.map((_: unknown, index: number) => `event-${index}`), status: 200 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    registrations,
    functions: () => functions,
    calls: () => calls,
    answer: (next) => {
      status = next;
    },
    accept: (eventKey) => {
      key = eventKey;
    },
    know: (known) => {
      signingKey = known;
    },
    forget: () => {
      functions = '[]';
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** RFC 8785. `JSON.stringify` already writes strings and numbers in this format. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** HMAC-SHA256 of the canonical body and the time in seconds. */
export function signature(body: Json | '', { key = SIGNING_KEY, at = new Date() } = {}): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const secret = key.replace(/^signkey-\w+-/, '');
  const text = body === '' ? '' : canonical(body);
  return `t=${seconds}&s=${createHmac('sha256', secret).update(`${text}${seconds}`).digest('hex')}`;
}

export function bearer(key = SIGNING_KEY): string {
  const [, prefix = '', hex = ''] = /^(signkey-\w+-)?(.*)$/.exec(key) ?? [];
  return `Bearer ${prefix}${createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')}`;
}

export type Answer = { status: number; headers: Headers; body: Json };

export async function callRun(
  origin: string,
  applicationId: string,
  sign: (body: Json) => string | null = signature,
  functionId = 'partner-booking-test-deliver-webhook',
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): Promise<Answer> {
  const runId = randomUUID();
  const data = { application_id: applicationId, running: '0' };
  const event = { name: 'partner-booking.test/application.due', data, id: randomUUID(), ts: Date.now() };
  const ctx = { run_id: runId, fn_id: randomUUID(), attempt: 0, max_attempts: 1, env: 'test', use_api: false };
  const place = { disable_immediate_execution: false, stack: { stack: [], current: 0 } };
  const body: Json = { version: 2, event, events: [event], steps: {}, ctx: { ...ctx, ...place } };
  const signed = sign(body);
  const response = await send(`${origin}/api/inngest?fnId=${functionId}&stepId=step`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Inngest-Run-Id': runId,
      'X-Inngest-Server-Kind': 'cloud',
      ...(signed === null ? {} : { 'X-Inngest-Signature': signed }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

/** In cloud mode, where all requests are signed. */
export function inngestEnv({ url }: FakeInngest): Record<string, string> {
  return {
    INNGEST_BASE_URL: url,
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    WEBHOOKS_ALLOW_LOOPBACK: '1',
  };
}
