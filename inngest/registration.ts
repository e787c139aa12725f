import { recordRegistration } from '@/lib/operations/inngest-registration';
import { systemClock } from '@/lib/platform/clock';
import { repeat } from './repeat';

/** Milliseconds between two registrations. An Inngest server that lost its database gets the functions again. */
const INTERVAL = 180_000;

/** The result of a registration: null, or a short text and a longer one that state why it failed. */
export type RegistrationProblem = { problem: string; message: string } | null;

/**
 * Registers the functions with Inngest every few minutes until the signal aborts. Records each result, which the
 * Environment page and the metrics show.
 */
export function keepRegistered(
  signal: AbortSignal,
  register: () => Promise<RegistrationProblem>,
  interval = INTERVAL,
): Promise<void> {
  return repeat(signal, 'the functions could not be registered with Inngest', async () => {
    const failure = await register();
    if (!signal.aborted) await recordRegistration(systemClock(), failure?.problem ?? null);
    if (failure) throw new Error(failure.message);
    return interval;
  });
}
