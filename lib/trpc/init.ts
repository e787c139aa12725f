import { initTRPC, TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { AppError, invalidField } from '../errors/app-error';
import type { ErrorCode } from '../errors/codes';
import { toAppError } from '../errors/unexpected';
import type { Member } from '../owners/session';
import { requestError } from '../partner-api/request-error';
import { pathOfNul } from './nul';

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

/** What the page gets of an error: the same code, reason and fields as a partner would. */
export type WorkspaceError = { code: ErrorCode; reason: string | null; fields: { path: string; message: string }[] };

function appErrorOf(error: TRPCError, requestId: string): AppError {
  if (error.cause instanceof AppError) return error.cause;
  if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return requestError(error.cause);
  const known = Object.entries(TRPC_CODES).find(([, code]) => code === error.code);
  if (known?.[0] === '404') return new AppError('not_found');
  if (known?.[0] === '400' || error.code === 'PARSE_ERROR' || error.code === 'METHOD_NOT_SUPPORTED')
    return new AppError('invalid_request');
  return toAppError(error.cause ?? error, requestId);
}

const t = initTRPC.context<TrpcContext>().create({
  errorFormatter: ({ shape, error, ctx }) => {
    const { code, reason, fields, message, status } = appErrorOf(error, ctx?.requestId ?? '');
    const data: WorkspaceError & { httpStatus: number } = { code, reason, fields, httpStatus: status };
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

/** Refuses the one character that PostgreSQL cannot hold in a text, wherever it stands: a search too would fail on it. */
const storable = t.middleware(async ({ next, getRawInput }) => {
  const path = pathOfNul(await getRawInput());
  if (path !== null)
    throw new TRPCError({ code: 'BAD_REQUEST', cause: invalidField(path, 'must not have control characters') });
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
