import { z } from 'zod';
import { AppError } from '@/lib/contract/errors/app-error';
import { Prisma } from '@/lib/platform/generated/prisma/client';

const failure = z.object({
  driverAdapterError: z.object({ cause: z.object({ originalCode: z.string(), originalMessage: z.string() }) }),
});

/**
 * Returns the refusal when the database's own rules have refused a change, else null: the last word is theirs. It names
 * the rule, which is ours, and nothing of the row.
 */
export function constraintRefusal(error: unknown): AppError | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const parsed = failure.safeParse(error.meta);
  if (!parsed.success) return null;
  const { originalCode: code, originalMessage: text } = parsed.data.driverAdapterError.cause;
  // Class 22: a value that no column takes. Class 23: a constraint.
  if (!/^2[23]/.test(code)) return null;
  const rule = /constraint "([a-z_]{1,63})"$/.exec(text)?.[1];
  const message = rule ? `is refused by the rule ${rule} of the database` : 'is refused by the database';
  return new AppError('invalid_request', {
    message: 'The database refuses this.',
    fields: [{ path: '*', message }],
    cause: error,
  });
}
