import { db } from '@/lib/platform/db';

/** Milliseconds for which a registration is valid. A server registers its functions every three minutes. */
export const REGISTRATION_VALID = 600_000;

/**
 * The last attempt to register with Inngest. `registered` states whether the attempt succeeded less than
 * `REGISTRATION_VALID` milliseconds ago. `checked_at` is the time of the attempt, or null if there was none. `problem`
 * states why the attempt failed, or is null.
 */
export type InngestRegistration = { registered: boolean; checked_at: Date | null; problem: string | null };

/** Records an attempt to register with Inngest. `problem` is null if the attempt succeeded. */
export async function recordRegistration(now: Date, problem: string | null): Promise<void> {
  await db().environment.updateMany({ data: { inngestCheckedAt: now, inngestProblem: problem } });
}

/** Returns the last attempt to register with Inngest, whichever process made it. */
export async function readRegistration(now: Date): Promise<InngestRegistration> {
  const row = await db().environment.findFirst();
  const checked_at = row?.inngestCheckedAt ?? null;
  const problem = row?.inngestProblem ?? null;
  const recent = checked_at !== null && now.getTime() - checked_at.getTime() < REGISTRATION_VALID;
  return { registered: recent && problem === null, checked_at, problem };
}
