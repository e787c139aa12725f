import { initTRPC, TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError as statusOf } from '@trpc/server/http';
import { ZodError } from 'zod';
import type { Member } from '@/lib/access/owners/session';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import type { ErrorCode } from '@/lib/contract/errors/codes';
import { requestError } from '@/lib/contract/errors/request-error';
import { findUnstorable } from '@/lib/platform/text/storable';
import { toAppError } from '@/lib/platform/unexpected';

/** What every procedure knows of its request. */
export type TrpcContext = { member: Member | null; requestId: string; address: string; now: Date };

const TRPC_CODES: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** Names that the input of a call has at most, with a lot to spare. */
const MAX_NAMES = 100;

/** What the page gets of an error: the same code, reason and fields as a partner would. */
export type ControlCenterError = {
  code: ErrorCode;
  reason: string | null;
  fields: { path: string; message: string }[];
};

function appErrorOf(error: TRPCError, requestId: string): AppError {
  if (error.cause instanceof AppError) return error.cause;
  if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return requestError(error.cause);
  if (error.code === 'NOT_FOUND') return new AppError('not_found');
  // What tRPC itself refuses in a call, such as its method, its media type or its length, is the caller's doing.
  if (statusOf(error) < 500) return new AppError('invalid_request');
  return toAppError(error.cause ?? error, requestId);
}

const t = initTRPC.context<TrpcContext>().create({
  errorFormatter: ({ shape, error, ctx }) => {
    const { code, reason, fields, message, status } = appErrorOf(error, ctx?.requestId ?? '');
    const known = error.cause instanceof AppError || error.cause instanceof ZodError;
    const httpStatus = known || code !== 'invalid_request' ? status : statusOf(error);
    const data: ControlCenterError & { httpStatus: number } = { code, reason, fields, httpStatus };
    // Nothing of an exception reaches the page: text from the table, no stack, no path of ours.
    return { ...shape, message, data };
  },
});

/** Turns what the domain throws into tRPC's error with the right status. */
const mapped = t.middleware(async ({ next, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const error = appErrorOf(result.error, ctx.requestId);
  throw new TRPCError({ code: TRPC_CODES[error.status] ?? 'INTERNAL_SERVER_ERROR', cause: error });
});

/**
 * Refuses what the database would, wherever it stands: characters that it cannot hold, on which a search would fail
 * too, and in a change a credential. Said here at its field, it is not a failure of ours.
 */
const storable = t.middleware(async ({ next, getRawInput, type, path }) => {
  // The places of an import are told by the import.
  const isImport = path.startsWith('catalog.transfer.');
  const input = await getRawInput();
  // A schema takes its time over each name that it does not know.
  if (typeof input === 'object' && input !== null && Object.keys(input).length > MAX_NAMES)
    throw new TRPCError({ code: 'BAD_REQUEST', cause: new AppError('invalid_request', { reason: 'unknown_field' }) });
  const found = findUnstorable(input, {
    secrets: type === 'mutation' && !isImport ? 'refused' : 'allowed',
  });
  // The forms of the catalog know their fields by the names within their record.
  if (found !== null)
    throw new TRPCError({
      code: 'BAD_REQUEST',
      cause: invalidField(found.path.replace(/^record\./, ''), found.message),
    });
  return next();
});

/** session → membership: whoever is signed in and belongs to a tenant. */
export const memberProcedure = t.procedure
  .use(mapped)
  .use(({ ctx, next }) => {
    if (!ctx.member) throw new TRPCError({ code: 'UNAUTHORIZED', cause: new AppError('sign_in_required') });
    const { member } = ctx;
    return next({ ctx: { ...ctx, member, by: { tenantId: member.tenantId, actor: actorOf(member) } } });
  })
  .use(storable);

/** session → membership → role: the tenant's owners. */
export const ownerProcedure = memberProcedure.use(({ ctx, next }) => {
  if (ctx.member.role !== 'OWNER') throw new TRPCError({ code: 'FORBIDDEN', cause: new AppError('forbidden') });
  return next();
});

function actorOf({ userId: id, tenantId }: Member) {
  return { kind: 'owner', id, tenantId } as const;
}

/** Makes a router. */
export const router = t.router;

/** Makes a caller of a router without HTTP, for tests. */
export const createCallerFactory = t.createCallerFactory;
