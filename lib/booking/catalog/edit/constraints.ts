import { z } from 'zod';
import { AppError } from '@/lib/contract/errors/app-error';
import { Prisma } from '@/lib/platform/generated/prisma/client';

const failure = z.object({
  driverAdapterError: z.object({ cause: z.object({ originalCode: z.string(), originalMessage: z.string() }) }),
});

/**
 * Returns the refusal to send if PostgreSQL rejected the data, otherwise null. The refusal contains no values. It names
 * the constraint if one was violated.
 */
export function constraintRefusal(error: unknown): AppError | null {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return null;
  const parsed = failure.safeParse(error.meta);
  if (!parsed.success) return null;
  const { originalCode: code, originalMessage: text } = parsed.data.driverAdapterError.cause;
  // SQLSTATE 22: data exception. 23: integrity constraint violation.
  if (!/^2[23]/.test(code)) return null;
  const constraint = /^([a-z_]{1,63})"$/.exec(text.slice(text.lastIndexOf(' "') + 2))?.[1];
  const message = constraint ? `violates the database constraint ${constraint}` : 'is rejected by the database';
  return new AppError('invalid_request', {
    message: 'The database rejected the change.',
    fields: [{ path: '*', message }],
    cause: error,
  });
}
