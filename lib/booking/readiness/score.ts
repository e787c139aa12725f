import { notFound } from '@/lib/contract/errors/app-error';
import { CERTIFICATE_DAYS, type Readiness } from '@/lib/contract/readiness';
import { db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { bind } from '@/lib/platform/sql';
import { countedSince, judgeRequests } from './evidence';
import { evidenceOf, type SignatureCheck } from './judge';
import { READ_RECORDS } from './records';

const DAY = 86_400_000;

/**
 * Returns the score of an application from its traffic in TEST (contract B21). The caller must be in the scope of the
 * tenant.
 * @throws AppError not_found if the application does not exist, or in LIVE.
 */
export async function readScore(now: Date, tenantId: string, applicationId: string): Promise<Readiness> {
  const { ENVIRONMENT, origin } = env();
  const application = await db().application.findFirst({
    where: { id: applicationId, tenantId },
    select: { name: true, tenant: { select: { name: true } } },
  });
  if (ENVIRONMENT !== 'TEST' || !application) throw notFound();
  const since = countedSince(now);
  const ids = { tenantId, applicationId };
  const judged = await judgeRequests(now, ids);
  const { rows: records } = await pool().query<Stored>(bind(READ_RECORDS, ids));
  const recent = (kind: string) => records.find((one) => one.kind === kind && one.at >= since);
  const criteria = evidenceOf(judged, checkOf(recent('signature')));
  const run = recent('conformance');
  return {
    application: { id: applicationId, name: application.name },
    business: application.tenant.name,
    environment: 'TEST',
    host: origin,
    contract: 'v1',
    criteria,
    met: criteria.filter(({ state }) => state === 'met').length,
    // Written by `reportRun`.
    conformance: run ? { at: run.at.toISOString(), ...(run.value as Run) } : null,
    issued_at: now.toISOString(),
    expires_at: new Date(now.getTime() + CERTIFICATE_DAYS * DAY).toISOString(),
  };
}

type Stored = { kind: string; at: Date; value: Record<string, unknown> };

/** What a row of the kind `conformance` contains. */
export type Run = Omit<NonNullable<Readiness['conformance']>, 'at'>;

/** What a row of the kind `signature` contains. */
export type Check = {
  request_id: string;
  genuine_id: string;
  forged_id: string;
  genuine: number | null;
  forged: number | null;
};

function checkOf(stored: Stored | undefined): SignatureCheck | null {
  if (!stored) return null;
  const { request_id: requestId, genuine, forged } = stored.value as Check;
  return { at: stored.at, requestId, genuine, forged };
}
