import { initTRPC, TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError as statusOf } from '@trpc/server/http';
import { ZodError } from 'zod';
import type { Member } from '@/lib/access/owners/session';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import type { ErrorCode } from '@/lib/contract/errors/codes';
import { requestError } from '@/lib/contract/errors/request-error';
import { findUnstorable } from '@/lib/platform/text/storable';
import { toAppError } from '@/lib/platform/unexpected';

/** The context of every procedure. */
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

/** Maximum number of top-level fields of an input. The inputs of all procedures have far fewer fields. */
const MAX_NAMES = 100;

/**
 * The data of an error that a page receives. Like errors of the partner API, it consists of code, reason, and fields.
 */
export type ControlCenterError = {
  code: ErrorCode;
  reason: string | null;
  fields: { path: string; message: string }[];
};

function appErrorOf(error: TRPCError, requestId: string): AppError {
  if (error.cause instanceof AppError) return error.cause;
  if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return requestError(error.cause);
  if (error.code === 'NOT_FOUND') return new AppError('not_found');
  // tRPC itself rejects some calls, for example because of a wrong method or media type. Such an error becomes
  // invalid_request.
  if (statusOf(error) < 500) return new AppError('invalid_request');
  return toAppError(error.cause ?? error, requestId);
}

/** `reads` marks a mutation that only reads data and records this access in the audit log. */
type Meta = { reads: true };

const t = initTRPC
  .context<TrpcContext>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const { code, reason, fields, message, status } = appErrorOf(error, ctx?.requestId ?? '');
      const known = error.cause instanceof AppError || error.cause instanceof ZodError;
      const httpStatus = known || code !== 'invalid_request' ? status : statusOf(error);
      const data: ControlCenterError & { httpStatus: number } = { code, reason, fields, httpStatus };
      // The message comes from the error table, so that the text of an exception, a stack trace, or a file path never
      // reaches the page.
      return { ...shape, message, data };
    },
  });

/** Converts the error of a procedure to a tRPC error that has the same HTTP status as the corresponding `AppError`. */
const mapped = t.middleware(async ({ next, ctx }) => {
  const result = await next();
  if (result.ok) return result;
  const error = appErrorOf(result.error, ctx.requestId);
  throw new TRPCError({ code: TRPC_CODES[error.status] ?? 'INTERNAL_SERVER_ERROR', cause: error });
});

/**
 * Rejects input that contains characters the database cannot store or search for. Without this check, such input would
 * cause an internal error. Input to a mutation is also rejected if it contains a credential. In both cases, the error
 * names the field.
 */
const storable = t.middleware(async ({ next, getRawInput, type, path }) => {
  // The input of a catalog import is not checked for credentials here, because the import itself reports the position
  // of each error.
  const isImport = path.startsWith('catalog.transfer.');
  const input = await getRawInput();
  // The procedure's schema reports every unknown field. This limit bounds the time that such a report takes.
  if (typeof input === 'object' && input !== null && Object.keys(input).length > MAX_NAMES)
    throw new TRPCError({ code: 'BAD_REQUEST', cause: new AppError('invalid_request', { reason: 'unknown_field' }) });
  const found = findUnstorable(input, {
    secrets: type === 'mutation' && !isImport ? 'refused' : 'allowed',
  });
  // The forms of the catalog expect field names without the prefix `record.`.
  if (found !== null)
    throw new TRPCError({
      code: 'BAD_REQUEST',
      cause: invalidField(found.path.replace(/^record\./, ''), found.message),
    });
  return next();
});

/** A procedure that signed-in members can call even if they lack a second factor that the tenant requires. */
export const accountProcedure = t.procedure
  .use(mapped)
  .use(({ ctx, next }) => {
    if (!ctx.member) throw new TRPCError({ code: 'UNAUTHORIZED', cause: new AppError('sign_in_required') });
    const { member } = ctx;
    return next({ ctx: { ...ctx, member, by: { tenantId: member.tenantId, actor: actorOf(member) } } });
  })
  .use(storable);

/**
 * Creates a procedure for members with these roles, unless they lack a second factor that the tenant requires. While
 * the tenant is suspended, the procedure is refused if it is a mutation without `reads` (see `Meta`).
 */
function procedureOf(...roles: Member['role'][]) {
  return accountProcedure.use(({ ctx, next, type, meta }) => {
    const refuse = (code: ErrorCode) => new TRPCError({ code: 'FORBIDDEN', cause: new AppError(code) });
    if (ctx.member.lacksSecondFactor) throw refuse('second_factor_required');
    if (!roles.includes(ctx.member.role)) throw refuse('forbidden');
    if (ctx.member.suspended && type === 'mutation' && !meta?.reads) throw refuse('business_suspended');
    return next();
  });
}

/** A procedure that owners and support can call. It may return partner data. */
export const memberProcedure = procedureOf('OWNER', 'SUPPORT');

/** A procedure that every member can call, including the front desk. It must return only bookings or the catalog. */
export const everyMemberProcedure = procedureOf('OWNER', 'SUPPORT', 'FRONT_DESK');

/** A procedure that changes bookings or returns contacts. Only owners and the front desk can call it. */
export const deskProcedure = procedureOf('OWNER', 'FRONT_DESK');

/** A procedure that only owners of a tenant can call. */
export const ownerProcedure = procedureOf('OWNER');

function actorOf({ userId: id, tenantId }: Member) {
  return { kind: 'owner', id, tenantId } as const;
}

/** Creates a tRPC router. */
export const router = t.router;

/**
 * Creates a function that calls a router's procedures without HTTP. Used for exports, for prefetching, and by tests.
 */
export const createCallerFactory = t.createCallerFactory;
