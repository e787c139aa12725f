import { expect, test, vi } from 'vitest';
import { AppError } from '@/lib/contract/errors/app-error';
import { retryBusy } from '@/lib/operations/retry-busy';

const busy = new AppError('service_unavailable');

/** Runs a job that throws `errors` in turn and then returns `done`. */
async function run(errors: Error[], signal = new AbortController().signal) {
  const job = vi.fn(async () => {
    const error = errors[job.mock.calls.length - 1];
    if (error) throw error;
    return 'done';
  });
  const onBusy = vi.fn();
  const result = await retryBusy(job, { signal, onBusy, pause: 0.01 }).catch((error: unknown) => error);
  return { result, runs: job.mock.calls.length, reported: onBusy.mock.calls.length };
}

test('a job that waited for locks in vain runs again, and this is reported once', async () => {
  expect(await run([])).toEqual({ result: 'done', runs: 1, reported: 0 });
  expect(await run([busy, busy])).toEqual({ result: 'done', runs: 3, reported: 1 });
});

test('the retries are bounded, and any other error ends them', async () => {
  expect(await run(Array.from({ length: 99 }, () => busy))).toEqual({ result: busy, runs: 11, reported: 1 });
  const broken = new Error('broken');
  expect(await run([busy, broken])).toEqual({ result: broken, runs: 2, reported: 1 });
});

test('a stop ends the pause', async () => {
  expect(await run([busy], AbortSignal.abort())).toEqual({ result: null, runs: 1, reported: 1 });
});
