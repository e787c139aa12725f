import { setTimeout as delay } from 'node:timers/promises';
import type { Inngest } from 'inngest';
import { askAboutEvents, recordInngest } from '@/lib/operations/inngest';
import { inngestSettings } from '@/lib/platform/env';
import { recurringWarning } from '@/lib/platform/recurring-warning';
import { dueApplications } from '@/lib/webhooks/lease';
import { applicationDue, createClient } from './client';
import { register } from './serve';

/** Milliseconds. Inngest takes about as long to start a run. */
const POLL_INTERVAL = 200;
/** In one call to Inngest. */
const MAX_EVENTS = 500;
/** Milliseconds until an event is sent again, if Inngest skipped or lost it. The pause doubles, up to `MAX_PAUSE`. */
const RESEND_PAUSE = 400;
const MAX_PAUSE = 4_000;
const CHECK_MS = 4_000;
/** Milliseconds, for Inngest Cloud. Other servers can lose their database, so each check registers the functions. */
const CLOUD_INTERVAL = 180_000;
/** Milliseconds before the first retry. Each later pause is twice as long, up to `MAX_PAUSE`. */
const FIRST_PAUSE = 500;

/** Registers the functions, checks Inngest, and dispatches due deliveries, which stay due while it is unreachable. */
export function startDispatcher(): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = Promise.all([
    repeat(signal, 'Inngest does not work', createCheck(signal)),
    repeat(signal, 'due deliveries could not be dispatched to Inngest', createDispatch(createClient(signal))),
  ]);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** `work` returns the milliseconds until the next call. */
async function repeat(signal: AbortSignal, problem: string, work: () => Promise<number>): Promise<void> {
  const warning = recurringWarning(problem);
  let failures = 0;
  while (!signal.aborted) {
    let pause: number;
    try {
      pause = await work();
      failures = 0;
      warning.over();
    } catch (error) {
      if (signal.aborted) return;
      warning.warn(error);
      pause = Math.min(FIRST_PAUSE * 2 ** failures, MAX_PAUSE);
      failures += 1;
    }
    // `delay` rejects if the signal aborts, which ends the loop.
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** The Environment page and the metrics show the result. */
function createCheck(signal: AbortSignal): () => Promise<number> {
  let registeredAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const settings = inngestSettings();
    const isCloud = !settings.isDev && settings.baseUrl === undefined;
    const startedAt = performance.now();
    const isValid = isCloud && startedAt - registeredAt < CLOUD_INTERVAL;
    const [events, functions] = await Promise.all([
      askAboutEvents(settings, signal),
      isValid ? null : register(signal),
    ]);
    if (!isValid && functions === null) registeredAt = startedAt;
    const problem = functions?.problem ?? events;
    if (!signal.aborted) await recordInngest(new Date(), problem);
    if (problem !== null) throw new Error(functions?.message ?? problem);
    return CHECK_MS;
  };
}

type Sent = { at: number; pause: number };

/** Inngest skips the event for an application if a run with the same key is active. */
function createDispatch(client: Inngest): () => Promise<number> {
  let sent = new Map<string, Sent>();
  return async () => {
    const due = await dueApplications(new Date(), MAX_EVENTS);
    const at = performance.now();
    const next = new Map<string, Sent>();
    const events = due.flatMap(({ applicationId, deliveryId, running }) => {
      const key = `${applicationId} ${deliveryId} ${running}`;
      // A running attempt is probably about to take the delivery. The next poll shows whether it has.
      const before = sent.get(key) ?? (running > 0 ? { at, pause: 1 } : { at: 0, pause: 0 });
      const waits = at - before.at < before.pause;
      next.set(key, waits ? before : { at, pause: Math.min(Math.max(2 * before.pause, RESEND_PAUSE), MAX_PAUSE) });
      return waits ? [] : [applicationDue().create({ application_id: applicationId, running: String(running) })];
    });
    if (events.length > 0) await client.send(events);
    sent = next;
    return POLL_INTERVAL;
  };
}
