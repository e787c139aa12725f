import { AppError } from '@/lib/contract/errors/app-error';
import { db, pool } from '@/lib/platform/db';
import { env, smtpSettings } from '@/lib/platform/env';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { bind, param, statement } from '@/lib/platform/sql';
import { inPrisma, queueMail } from './queue';

/** The mails of a tenant. Null for what has never happened. Another tenant's mails do not count. */
export type MailState = {
  /** Whether mails can be sent. */
  on: boolean;
  /** The sender's address. */
  from: string | null;
  waiting: number;
  last_sent_at: Date | null;
  /** The newest mail that was not sent, or not yet. */
  last_problem: { at: Date; problem: string; given_up: boolean } | null;
  /** The newest test mail. */
  last_test: { state: 'waiting' | 'sent' | 'failed'; problem: string | null } | null;
};

type Row = Pick<MailState, 'waiting' | 'last_sent_at' | 'last_test'> & {
  last_problem: { at: string; problem: string; given_up: boolean } | null;
};

const STATE = statement<Row>('mail-state')`
  SELECT (SELECT count(*)::int FROM mails WHERE tenant_id = ${param.text('tenantId')} AND next_attempt_at IS NOT NULL) AS waiting,
    (SELECT max(sent_at) FROM mails WHERE tenant_id = ${param.text('tenantId')}) AS last_sent_at,
    (SELECT json_build_object('at', coalesce(failed_at, created_at), 'problem', problem, 'given_up', failed_at IS NOT NULL)
      FROM mails WHERE tenant_id = ${param.text('tenantId')} AND problem IS NOT NULL
      ORDER BY created_at DESC, id DESC LIMIT 1) AS last_problem,
    (SELECT json_build_object('problem', problem, 'state',
        CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed' ELSE 'waiting' END)
      FROM mails WHERE tenant_id = ${param.text('tenantId')} AND kind = 'test'
      ORDER BY created_at DESC, id DESC LIMIT 1) AS last_test`;

/** Returns the state of a tenant's mails. */
export async function readMailState(tenantId: string): Promise<MailState> {
  const { rows } = await pool().query<Row>(bind(STATE, { tenantId }));
  const [row] = rows;
  const settings = smtpSettings();
  const problem = row?.last_problem ?? null;
  return {
    on: settings !== null,
    from: settings?.from ?? null,
    waiting: row?.waiting ?? 0,
    last_sent_at: row?.last_sent_at ?? null,
    last_problem: problem && { ...problem, at: new Date(problem.at) },
    last_test: row?.last_test ?? null,
  };
}

/** Maximum number of test mails of a tenant per minute. */
const TESTS = 3;

/** @throws AppError service_unavailable without a mail server; rate_limited after too many tests within a minute. */
export async function queueTest(now: Date, to: { tenantId: string; userId: string; email: string }): Promise<void> {
  const quota = await consumeAttempt(`mail-test:${to.tenantId}`, TESTS);
  if (quota.exceeded) throw new AppError('rate_limited', { retryAfter: quota.retryAfter });
  const mail = { ...to, kind: 'test', facts: { origin: env().origin } } as const;
  if ((await queueMail(inPrisma(db()), now, mail)) === null) throw new AppError('service_unavailable');
}
