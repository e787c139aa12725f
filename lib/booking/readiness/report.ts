import type { z } from 'zod';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { invalidField } from '@/lib/contract/errors/app-error';
import { type conformanceBody, type conformanceResult, SUITE_AGENT } from '@/lib/contract/readiness';
import { isId, timeOfId } from '@/lib/platform/ids';
import { param, statement } from '@/lib/platform/sql';
import type { Budget } from '@/lib/platform/write-transaction';
import { type Identity, type Outcome, storeSuccess, writeOnce } from '../idempotency/once';
import { type Run, STORE_RECORD } from './score';

/** Requests of a run that are counted, and the milliseconds that it may take. */
const [MAX_SEEN, MAX_RUN] = [20_000, 86_400_000];

/** The time in an id and that of the entry are taken at nearly the same moment, in milliseconds. */
const SKEW = 1_000;

const COUNT_SEEN = statement<{ seen: number }>('readiness-seen')`
  SELECT count(*)::int AS seen FROM (
    SELECT FROM request_log
    WHERE tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')}
      AND request_id >= ${param.text('first')} AND at >= ${param.timestamptz('since')}
      AND user_agent = ${param.text('agent')} LIMIT ${MAX_SEEN}) AS run`;

type Report = {
  tenantId: string;
  applicationId: string;
  requestId: string;
  identity: Identity;
  /** Real time. */
  at: Date;
  budget: Budget;
  /** Stored in the same transaction as the result. */
  logEntry: LogEntry;
};

/**
 * Records the result of a run of the conformance suite, with the number of its requests that are in the log (contract
 * B21), or replays that (contract B8).
 * @throws AppError invalid_request if `first_request_id` is not the id of a request.
 */
export async function reportRun(report: Report, body: z.output<typeof conformanceBody>): Promise<Outcome> {
  const { tenantId, applicationId, at, identity, requestId, logEntry } = report;
  const { first_request_id: first, ...counts } = body;
  const ids = { tenantId, applicationId };
  if (!isId('req', first)) throw invalidField('first_request_id', 'must be the X-Request-Id of a response');
  const since = new Date(Math.min(Math.max(timeOfId(first).getTime() - SKEW, at.getTime() - MAX_RUN), at.getTime()));
  return writeOnce(report, {
    read: (tx) => tx.query(COUNT_SEEN, { ...ids, first, since, agent: SUITE_AGENT }),
    change: async (tx, [counted]) => {
      const run: Run = { ...counts, seen: counted?.seen ?? 0 };
      await tx.query(STORE_RECORD, { ...ids, kind: 'conformance', at, value: JSON.stringify(run) });
      const conformance = { at: at.toISOString(), ...run };
      const data = JSON.stringify({ conformance } satisfies z.output<typeof conformanceResult>);
      return storeSuccess(tx, { identity, requestId, logEntry, data });
    },
  });
}
