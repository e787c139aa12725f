import { expect, test } from 'vitest';
import { AppError } from '@/lib/contract/errors/app-error';
import { beginWork } from '@/lib/http/overload/work';
import { beginFile } from '../../support/fresh-process';

const REQUIRED = { DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) };

/** Begins writes for an application until a write is refused. Returns the number of accepted writes. */
function acceptedWrites(): number {
  for (let accepted = 0; ; accepted++) {
    const work = beginWork('app_1', { method: 'POST', waited: 0 });
    if (!(work instanceof AppError)) continue;
    expect(work).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
    return accepted;
  }
}

test.each([
  { pool: '16', wait: '50', accepted: 36 },
  { pool: '2', wait: '50', accepted: 20 },
  { pool: '16', wait: '10', accepted: 20 },
  { pool: '64', wait: '50', accepted: 90 },
  { pool: '16', wait: '5000', accepted: 90 },
])('with $pool connections and a wait of $wait ms, $accepted writes begin at once', ({ pool, wait, accepted }) => {
  beginFile({ ...REQUIRED, DATABASE_POOL: pool, MAX_WRITE_WAIT: wait });
  expect(acceptedWrites()).toBe(accepted);
});

test('a write that waited too long for the event loop is refused if its application keeps the database busy', () => {
  beginFile({ ...REQUIRED, DATABASE_POOL: '16', MAX_WRITE_WAIT: '50' });
  const begin = (applicationId: string, method: string, waited: number) => beginWork(applicationId, { method, waited });
  // Writes may use only 4 of the 16 connections, so an application with four writes in flight keeps all 4 busy.
  for (let n = 0; n < 4; n++) expect(begin('app_1', 'POST', 60)).not.toBeInstanceOf(AppError);
  expect(begin('app_1', 'POST', 25)).not.toBeInstanceOf(AppError);
  expect(begin('app_1', 'POST', 25.1)).toMatchObject({ code: 'service_unavailable', retryAfter: 1 });
  expect(begin('app_1', 'GET', 60)).not.toBeInstanceOf(AppError);
  expect(begin('app_2', 'POST', 60)).not.toBeInstanceOf(AppError);
});
