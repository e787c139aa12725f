import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds. */
const TIMEOUT = 15_000;

/** `status` is 0 without a complete response. The times are milliseconds of `performance.now()`. */
export type Sample = { what: string; status: number; problem: string; begun: number; ended: number };

type Call = { method?: string; path: string; headers?: Record<string, string>; body?: object };

type Reply = { status: number; body: string };

/** Sends a request on a new connection, once, as a client without retries. `origin` may have any certificate. */
export async function callOnce(origin: string, { method = 'GET', path, headers = {}, body }: Call): Promise<Reply> {
  const sent = body === undefined ? '' : JSON.stringify(body);
  const options = {
    method,
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT),
    headers: {
      ...headers,
      ...(sent ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(sent) } : {}),
    },
  };
  const url = new URL(path, origin);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request =
      url.protocol === 'https:'
        ? requestHttps(url, { ...options, rejectUnauthorized: false, servername: 'booking.example' }, resolve)
        : requestHttp(url, options, resolve);
    request.on('error', reject).end(sent);
  });
  return { status: answer.statusCode ?? 0, body: await text(answer) };
}

/** Calls `call` and records its result. Returns the body, or null without a status below 300. */
export async function sample(samples: Sample[], origin: string, call: Call): Promise<string | null> {
  const begun = performance.now();
  const add = (status: number, problem: string) =>
    samples.push({ what: `${call.method ?? 'GET'} ${call.path}`, status, problem, begun, ended: performance.now() });
  try {
    const { status, body } = await callOnce(origin, call);
    const isGood = status >= 200 && status < 300;
    add(status, isGood ? '' : body.slice(0, 200));
    return isGood ? body : null;
  } catch (error) {
    add(0, String((error as NodeJS.ErrnoException).code ?? error));
    return null;
  }
}

/** Begins a request every `every` milliseconds, also while earlier ones wait. `stop` returns all results. */
export function poll(origin: string, call: Call, every: number): { stop: () => Promise<Sample[]> } {
  const samples: Sample[] = [];
  const open: Promise<unknown>[] = [];
  const timer = setInterval(() => open.push(sample(samples, origin, call)), every);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return samples;
    },
  };
}

/** Runs `rounds` again and again, each with a pause in between, until `stop`. */
export function repeatedly(rounds: (() => Promise<void>)[], pause: number): { stop: () => Promise<void> } {
  let stopped = false;
  const loop = async (round: () => Promise<void>) => {
    while (!stopped) {
      await round();
      await delay(pause);
    }
  };
  const loops = Promise.all(rounds.map(loop));
  return {
    stop: async () => {
      stopped = true;
      await loops;
    },
  };
}

const isGood = ({ status }: Sample) => status >= 200 && status < 300;

/**
 * Returns the milliseconds from the first request that failed to the first complete response after the last one that
 * failed, or 0.
 */
export function downtime(samples: readonly Sample[]): number {
  const failed = samples.filter((one) => !isGood(one)).map(({ begun }) => begun);
  if (failed.length === 0) return 0;
  const after = samples.filter((one) => isGood(one) && one.begun > Math.max(...failed));
  return Math.min(...after.map(({ ended }) => ended)) - Math.min(...failed);
}

/** Returns each result that is not a success, once with its count. */
export function failuresOf(samples: readonly Sample[]): string[] {
  const counts = new Map<string, number>();
  for (const { what, status, problem } of samples.filter((one) => !isGood(one))) {
    const name = `${what.replace(/pbr_\w+/, '…')}: ${status} ${problem}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} × ${name}`);
}
