import { db } from '@/lib/platform/db';

/**
 * Number of milliseconds for which a registration is valid. The server registers its functions every three minutes. If
 * the last registration is older than this, no process registers the functions anymore.
 */
export const REGISTRATION_VALID = 600_000;

/**
 * The result of the last registration with Inngest, which may have succeeded or failed. `registered` is true if it
 * succeeded less than `REGISTRATION_VALID` milliseconds ago. `checked_at` is its time, or null if no process has tried to register
 * the functions yet. `problem` is the reason why it failed, or null if it did not fail.
 */
export type InngestRegistration = { registered: boolean; checked_at: Date | null; problem: string | null };

/**
 * Records the result of a registration with Inngest. `problem` is the reason why the registration failed, or null if it
 * succeeded.
 */
export async function recordRegistration(now: Date, problem: string | null): Promise<void> {
  await db().environment.updateMany({ data: { inngestCheckedAt: now, inngestProblem: problem } });
}

/** Returns the result of the last registration by any process. */
export async function readRegistration(now: Date): Promise<InngestRegistration> {
  const row = await db().environment.findFirst();
  const checked_at = row?.inngestCheckedAt ?? null;
  const problem = row?.inngestProblem ?? null;
  const recent = checked_at !== null && now.getTime() - checked_at.getTime() < REGISTRATION_VALID;
  return { registered: recent && problem === null, checked_at, problem };
}
