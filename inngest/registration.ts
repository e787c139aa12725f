import { recordRegistration } from '@/lib/operations/inngest-registration';
import { systemClock } from '@/lib/platform/clock';
import { repeat } from './repeat';

/**
 * Milliseconds between two registrations. The registration is repeated, because an Inngest server can lose its
 * database.
 */
const INTERVAL = 180_000;

/** Why a registration failed, in a short and a longer form. Null if it succeeded. */
export type RegistrationProblem = { problem: string; message: string } | null;

/**
 * Registers the functions with Inngest every few minutes until the signal aborts, and records the results for the
 * Environment page and the metrics.
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
