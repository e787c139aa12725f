import { expect, test } from 'vitest';
import { AppError } from '@/lib/contract/errors/app-error';
import { beginWork } from '@/lib/http/overload/work';
import { beginFile } from '../../support/fresh-process';

const REQUIRED = { DATABASE_URL: 'postgresql://unused@127.0.0.1:1/unused', SECRET_KEY: 'x'.repeat(32) };

/** Begins writes for an application until a write is refused. Returns the number of accepted writes. */
function acceptedWrites(): number {
  for (let accepted = 0; ; accepted++) {
    const work = beginWork('app_1', 'POST');
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
