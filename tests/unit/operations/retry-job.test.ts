import { expect, test, vi } from 'vitest';
import { AppError } from '@/lib/contract/errors/app-error';
import { retryJob } from '@/lib/operations/retry-job';

const busy = new AppError('service_unavailable');

/** Runs a job that throws `errors` in turn and then returns `done`. */
async function run(errors: Error[], signal = new AbortController().signal, pause = 0.01) {
  const job = vi.fn(async () => {
    const error = errors[job.mock.calls.length - 1];
    if (error) throw error;
    return 'done';
  });
  const onRetry = vi.fn();
  const result = await retryJob(job, { signal, onRetry, pause }).catch((error: unknown) => error);
  return { result, runs: job.mock.calls.length, reported: onRetry.mock.calls.length };
}

test('a job that waited for locks in vain runs again, and each retry is reported', async () => {
  expect(await run([])).toEqual({ result: 'done', runs: 1, reported: 0 });
  expect(await run([busy, busy])).toEqual({ result: 'done', runs: 3, reported: 2 });
});

test('a job without a connection to the database runs again', async () => {
  const timeout = new Error('Connection terminated due to connection timeout');
  const exhausted = new Error('timeout exceeded when trying to connect');
  const unreachable = Object.assign(new Error('unreachable'), { code: 'P1001' });
  const errors = [timeout, exhausted, unreachable, new Error('wrapped', { cause: timeout })];
  expect(await run(errors)).toEqual({ result: 'done', runs: 5, reported: 4 });
});

test('the retries are bounded, and any other error ends them', async () => {
  expect(await run(Array.from({ length: 99 }, () => busy))).toEqual({ result: busy, runs: 11, reported: 10 });
  const broken = new Error('broken');
  expect(await run([busy, broken])).toEqual({ result: broken, runs: 2, reported: 1 });
});

test('a stop ends the pause', async () => {
  expect(await run([busy], AbortSignal.abort())).toEqual({ result: null, runs: 1, reported: 1 });
});

test('each pause is twice as long as the previous one', async () => {
  const begun = performance.now();
  await run([busy, busy, busy], undefined, 20);
  // A timer can fire a millisecond early.
  expect(performance.now() - begun).toBeGreaterThan((1 + 2 + 4) * 20 - 3);
});
