import { setTimeout as delay } from 'node:timers/promises';
import type { Inngest } from 'inngest';
import { askAboutEvents, recordInngest } from '@/lib/operations/inngest';
import { systemClock } from '@/lib/platform/clock';
import { inngestSettings } from '@/lib/platform/env';
import { recurringWarning } from '@/lib/platform/recurring-warning';
import { dueApplications } from '@/lib/webhooks/lease';
import { applicationDue, createClient } from './client';
import { register } from './serve';

/** Milliseconds between polls. Inngest takes about as long to start a run. */
const POLL_INTERVAL = 200;
/** Maximum number of events in one call to Inngest. */
const MAX_EVENTS = 500;
/**
 * Milliseconds until an event is sent again while its delivery waits: Inngest skipped the event, because a run was ending,
 * or lost it. Each later pause is twice as long, up to `MAX_PAUSE`.
 */
const RESEND_PAUSE = 400;
const MAX_PAUSE = 4_000;
/** Milliseconds between two checks of Inngest. */
const CHECK_INTERVAL = 4_000;
/**
 * Milliseconds between two registrations with Inngest Cloud. A server of your own can lose its database, so the functions are
 * registered with each check.
 */
const CLOUD_INTERVAL = 180_000;
/** Milliseconds before the first retry after a failure. Each later pause is twice as long, up to `MAX_PAUSE`. */
const FIRST_PAUSE = 500;

/**
 * Registers the functions with Inngest, checks it every few seconds, and dispatches due deliveries until `stop` is called.
 * While Inngest is unreachable, deliveries stay due.
 */
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

/** Calls `work` until the signal aborts. `work` returns the milliseconds until the next call. */
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
    // `delay` rejects if the signal aborts. The rejection is ignored, because the `while` condition then ends the
    // loop.
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns a function that asks Inngest, and records the result for the Environment page and the metrics. */
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
    if (!signal.aborted) await recordInngest(systemClock(), problem);
    if (problem !== null) throw new Error(functions?.message ?? problem);
    return CHECK_INTERVAL;
  };
}

type Sent = { at: number; pause: number };

/**
 * Returns a function that sends an event for each application for which attempts can start. Inngest skips the event if a run
 * with the same key is active.
 */
function createDispatch(client: Inngest): () => Promise<number> {
  let sent = new Map<string, Sent>();
  return async () => {
    const due = await dueApplications(systemClock(), MAX_EVENTS);
    const at = performance.now();
    const next = new Map<string, Sent>();
    const events = due.flatMap(({ applicationId, deliveryId, running }) => {
      const key = `${applicationId} ${deliveryId} ${running}`;
      // If attempts are running, a run is probably about to take the delivery. The next poll shows whether it has.
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
