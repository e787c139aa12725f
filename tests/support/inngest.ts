import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const EVENT_KEY = 'event-key-for-tests';
export const SIGNING_KEY = `signkey-test-${'0123456789abcdef'.repeat(4)}`;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** An event that the server sent. */
export type SentEvent = { id: string; name: string; ts: number; data: { [name: string]: string | boolean } };

/** A function that the server registered with Inngest. */
export type RegisteredFunction = {
  id: string;
  triggers: { event?: string; cron?: string }[];
  concurrency?: unknown;
  steps: { step: { runtime: { url: string }; retries?: { attempts: number } } };
};

type Registration = { authorization: string; url: string; appName: string; functions: RegisteredFunction[] };

/** A fake of Inngest's event service and API, on loopback. */
export type FakeInngest = {
  url: string;
  events: SentEvent[];
  /** The paths of the requests that sent events. Each path contains the event key. */
  paths: string[];
  registrations: Registration[];
  /** Returns the number of requests that the fake received, including those that it answered with an error. */
  calls: () => number;
  /** Sets the status of all later responses. */
  answer: (status: number) => void;
  close: () => Promise<void>;
};

async function bodyOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Starts a fake Inngest server that records events and registrations. */
export async function startFakeInngest(): Promise<FakeInngest> {
  const events: SentEvent[] = [];
  const paths: string[] = [];
  const registrations: Registration[] = [];
  let calls = 0;
  let status = 200;
  const server = createServer(async (req, res) => {
    const body = JSON.parse(await bodyOf(req));
    calls += 1;
    const send = (value: object) =>
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    if (status !== 200) return send({ status, error: 'not now' });
    if (req.url === '/fn/register') {
      registrations.push({ ...body, authorization: req.headers.authorization ?? '' });
      return send({ ok: true, modified: true });
    }
    paths.push(req.url ?? '');
    events.push(...body);
    send({ ids: body.map((_: unknown, index: number) => `event-${index}`), status: 200 });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    events,
    paths,
    registrations,
    calls: () => calls,
    answer: (next) => {
      status = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/**
 * Returns canonical JSON (RFC 8785). `JSON.stringify` already writes strings and numbers in this format, so only the
 * keys must be sorted.
 */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** Signs a body as Inngest does: HMAC-SHA256 of the canonical body and the time in seconds. */
export function signature(body: Json | '', { key = SIGNING_KEY, at = new Date() } = {}): string {
  const seconds = Math.floor(at.getTime() / 1000);
  const secret = key.replace(/^signkey-\w+-/, '');
  const text = body === '' ? '' : canonical(body);
  return `t=${seconds}&s=${createHmac('sha256', secret).update(`${text}${seconds}`).digest('hex')}`;
}

/** Returns the Authorization header that proves knowledge of the signing key. */
export function bearer(key = SIGNING_KEY): string {
  const [, prefix = '', hex = ''] = /^(signkey-\w+-)?(.*)$/.exec(key) ?? [];
  return `Bearer ${prefix}${createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex')}`;
}

/** An operation that an Inngest function requests from Inngest, such as a step. */
export type Op = {
  id: string;
  op: string;
  name: string;
  displayName?: string;
  data?: Json;
  error?: { message: string };
};

export type Answer = { status: number; headers: Headers; body: Json };

type Trigger = { name: string; data: { [name: string]: Json } };

/**
 * Simulates Inngest for one run of the function `functionId`. The returned function `call` sends the results of earlier
 * steps to the server, which then requests another step (206) or ends the run (200).
 * @param others the events that follow `event` in the run's batch
 */
export function startRun(origin: string, functionId: string, event: Trigger, others: readonly Trigger[] = []) {
  const runId = randomUUID();
  const steps: { [id: string]: Json } = {};
  const stack: string[] = [];
  const call = async (attempt = 0, sign: (body: Json) => string | null = signature): Promise<Answer> => {
    const complete = (one: Trigger) => ({ ...one, id: randomUUID(), ts: Date.now() });
    const full = complete(event);
    const ctx = { run_id: runId, fn_id: randomUUID(), attempt, max_attempts: 5, env: 'test', use_api: false };
    const place = { disable_immediate_execution: false, stack: { stack: [...stack], current: stack.length } };
    const body: Json = {
      version: 2,
      event: full,
      events: [full, ...others.map(complete)],
      steps: { ...steps },
      ctx: { ...ctx, ...place },
    };
    const signed = sign(body);
    const response = await fetch(`${origin}/api/inngest?fnId=${functionId}&stepId=step`, {
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
  };
  return {
    call,
    /**
     * Makes the next call. Returns the operation in the response, or null at the end of the run. If the operation is a
     * step that the server has run, the later calls send its result.
     */
    next: async (): Promise<Op | null> => {
      const { status, body } = await call();
      if (status === 200) return null;
      if (status !== 206 || !Array.isArray(body) || body.length !== 1)
        throw new Error(`The function responded with ${status}: ${JSON.stringify(body)}`);
      const op = body[0] as Op;
      if (op.op === 'StepRun') steps[op.id] = { type: 'data', data: op.data ?? null };
      else if (op.op === 'Sleep') steps[op.id] = null;
      else return op;
      stack.push(op.id);
      return op;
    },
  };
}

/** Returns the settings for a server that uses this fake in cloud mode, where all requests are signed. */
export function inngestEnv({ url }: FakeInngest): Record<string, string> {
  return {
    INNGEST_BASE_URL: url,
    INNGEST_EVENT_KEY: EVENT_KEY,
    INNGEST_SIGNING_KEY: SIGNING_KEY,
    WEBHOOKS_ALLOW_LOOPBACK: '1',
  };
}
