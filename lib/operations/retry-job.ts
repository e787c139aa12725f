import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@/lib/contract/errors/app-error';
import { isLostConnection } from './environment/connection';

/** The pauses double. From one second, they add up to 17 minutes. */
const MAX_RETRIES = 10;

type Options = {
  signal: AbortSignal;
  onRetry: (error: unknown) => void;
  /** Milliseconds before the first retry. Each further pause is twice as long. */
  pause?: number;
};

/** Returns whether a write was rolled back because it waited too long for locks. */
export function isBusy(error: unknown): boolean {
  return error instanceof AppError && error.code === 'service_unavailable';
}

/**
 * Runs a job, and again after a lost connection or a long wait for locks. Returns null if `signal` was aborted.
 * @throws any other error immediately, and the error of the last retry.
 */
export async function retryJob<T>(
  job: () => Promise<T>,
  { signal, onRetry, pause = 1_000 }: Options,
): Promise<T | null> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await job();
    } catch (error) {
      if (!(isBusy(error) || isLostConnection(error)) || retry === MAX_RETRIES) throw error;
      onRetry(error);
    }
    await delay(pause * 2 ** retry, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return null;
  }
}
