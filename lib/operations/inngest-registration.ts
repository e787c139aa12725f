import { db } from '@/lib/platform/db';

/**
 * Milliseconds for which a registration counts. The server registers its functions every three minutes. An older
 * registration means that no process does.
 */
const VALID = 600_000;

/** Whether Inngest has the functions of this deployment, as far as the server knows. */
export type InngestRegistration = { registered: boolean; checked_at: Date | null; problem: string | null };

/** Records that the functions were registered with Inngest, or why they were not. */
export async function recordRegistration(now: Date, problem: string | null): Promise<void> {
  await db().environment.updateMany({ data: { inngestCheckedAt: now, inngestProblem: problem } });
}

/** Returns the result of the last registration by any process. */
export async function readRegistration(now: Date): Promise<InngestRegistration> {
  const row = await db().environment.findFirst();
  const checked_at = row?.inngestCheckedAt ?? null;
  const problem = row?.inngestProblem ?? null;
  const recent = checked_at !== null && now.getTime() - checked_at.getTime() < VALID;
  return { registered: recent && problem === null, checked_at, problem };
}
