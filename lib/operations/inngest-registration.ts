import { db } from '@/lib/platform/db';

/** Milliseconds for which a registration is valid. A server registers its functions every three minutes. */
export const REGISTRATION_VALID = 600_000;

/**
 * The last registration with Inngest. `registered` states whether the registration succeeded and is less than
 * `REGISTRATION_VALID` milliseconds old. `checked_at` is the time of the registration, or null if no server has tried
 * to register. `problem` states why the registration failed, or is null.
 */
export type InngestRegistration = { registered: boolean; checked_at: Date | null; problem: string | null };

/** Records a registration with Inngest. `problem` is null if the registration succeeded. */
export async function recordRegistration(now: Date, problem: string | null): Promise<void> {
  await db().environment.updateMany({ data: { inngestCheckedAt: now, inngestProblem: problem } });
}

/** Returns the last registration with Inngest by any process. */
export async function readRegistration(now: Date): Promise<InngestRegistration> {
  const row = await db().environment.findFirst();
  const checked_at = row?.inngestCheckedAt ?? null;
  const problem = row?.inngestProblem ?? null;
  const recent = checked_at !== null && now.getTime() - checked_at.getTime() < REGISTRATION_VALID;
  return { registered: recent && problem === null, checked_at, problem };
}
