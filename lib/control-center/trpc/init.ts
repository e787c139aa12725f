import { initTRPC, TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError as statusOf } from '@trpc/server/http';
import { ZodError } from 'zod';
import { isConfirmed } from '@/lib/access/owners/confirmed-minutes';
import type { Access, Member, SignedIn } from '@/lib/access/owners/session';
import { REFUSAL_CODES, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import type { ErrorCode } from '@/lib/contract/errors/codes';
import { requestError } from '@/lib/contract/errors/request-error';
import { pollNow } from '@/lib/platform/cache';
import { busy, inControlCenter } from '@/lib/platform/tenant-scope';
import type { Language } from '@/lib/platform/text/languages';
import { findUnstorable } from '@/lib/platform/text/storable';
import type { Turns } from '@/lib/platform/turns';
import { toAppError } from '@/lib/platform/unexpected';
import { translateError } from '../messages/errors';

/**
 * `outsider` is a signed-in user who is not a member of the tenant that the call names. `batch` gives turns to the
 * calls of one batch, so that no more of them run than the edge has counted. `currentCaller` looks up the sender again:
 * an earlier call of the batch, or somebody else in the meantime, can have ended the session or changed the role.
 * `browserLanguage` decides for a person who has not chosen a language.
 */
export type TrpcContext = {
  access: Access;
  browserLanguage?: Language;
  outsider?: SignedIn | undefined;
  requestId: string;
  address: string;
  now: Date;
  batch?: Pick<Turns, 'take'>;
  currentCaller?: () => Promise<Pick<TrpcContext, 'access' | 'outsider'>>;
};

const TRPC_CODES: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

/** Top-level fields. The inputs of all procedures have far fewer. */
const MAX_NAMES = 100;

/** As in the partner API. */
export type ControlCenterError = {
  code: ErrorCode;
  reason: string | null;
  fields: { path: string; message: string }[];
};

/** Returns the language of the texts for the sender of a call. */
export function languageOf({ access, outsider, browserLanguage = 'en' }: TrpcContext): Language {
  const person = access === 'outsider' ? outsider : access;
  return person?.language ?? browserLanguage;
}

/** Returns the problems of a document in the language of the sender of a call. */
export function translateIssues<Issue extends { message: string }>(
  ctx: TrpcContext,
  issues: readonly Issue[],
): Issue[] {
  const language = languageOf(ctx);
  return issues.map((issue) => ({ ...issue, message: translateError(language, issue.message) }));
}

function appErrorOf(error: TRPCError, requestId: string): AppError {
  if (error.cause instanceof AppError) return error.cause;
  if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return requestError(error.cause);
  if (error.code === 'NOT_FOUND') return new AppError('not_found');
  // tRPC itself refuses some requests, for example because of a wrong method or media type.
  if (statusOf(error) < 500) return new AppError('invalid_request');
  return toAppError(error.cause ?? error, requestId, busy);
}

/**
 * `reads`: a mutation whose only write is an audit entry about the access. `byLocation`: for a member who is limited to
 * locations, the procedure returns and changes only what belongs to these. Such a member cannot call any other.
 */
type Meta = { reads?: true; byLocation?: true };

const t = initTRPC
  .context<TrpcContext>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const { code, reason, fields, message, status } = appErrorOf(error, ctx?.requestId ?? '');
      const language = ctx ? languageOf(ctx) : 'en';
      const translated = fields.map((field) => ({ ...field, message: translateError(language, field.message) }));
      const known = error.cause instanceof AppError || error.cause instanceof ZodError;
      const httpStatus = known || code !== 'invalid_request' ? status : statusOf(error);
      const data: ControlCenterError & { httpStatus: number } = {
        code,
        reason,
        fields: translated,
        httpStatus,
      };
      // `message` is the text of an `AppError`, and `data` replaces the data of tRPC. Thus no text of an exception,
      // stack trace, or file path reaches the page.
      return { ...shape, message: translateError(language, message), data };
    },
  });

/** Also records a refusal. */
const mapped = t.middleware(async ({ next, ctx, path, type }) => {
  const endTurn = await ctx.batch?.take('');
  const caller = { ...ctx };
  const run = async () => {
    Object.assign(caller, await ctx.currentCaller?.());
    return next({ ctx: caller });
  };
  const result = await run().finally(() => endTurn?.());
  if (result.ok) {
    // A change then counts at once in this process. If the poll fails, it counts within a second, as everywhere else.
    if (type === 'mutation') await pollNow().catch(() => undefined);
    return result;
  }
  const error = appErrorOf(result.error, ctx.requestId);
  recordRefusal(caller, path, error.code);
  throw new TRPCError({ code: TRPC_CODES[error.status] ?? 'INTERNAL_SERVER_ERROR', cause: error });
});

function recordRefusal({ access, outsider, now }: TrpcContext, procedure: string, refused: ErrorCode): void {
  const code = REFUSAL_CODES.find((one) => one === refused);
  if (!code) return;
  if (access !== null && access !== 'outsider')
    recordRefusedCall(now, { userId: access.userId, tenantId: access.tenantId, procedure, code });
  else if (outsider) recordRefusedCall(now, { userId: outsider.userId, tenantId: null, procedure, code });
}

/** Rejects what the database cannot store or search for, and U+FFFD or a credential in a mutation. Names the field. */
const storable = t.middleware(async ({ next, getRawInput, type, path }) => {
  // An import refuses both itself, because its errors state the position of each.
  const isImport = /^(catalog|bookings)\.transfer\./.test(path);
  const input = await getRawInput();
  // The schema would report every unknown field, which takes long if there are very many.
  if (typeof input === 'object' && input !== null && Object.keys(input).length > MAX_NAMES)
    throw new TRPCError({ code: 'BAD_REQUEST', cause: new AppError('invalid_request', { reason: 'unknown_field' }) });
  const found = findUnstorable(input, type === 'mutation' && !isImport ? 'stored' : 'searched');
  // The forms of the catalog expect field names without the prefix `record.`.
  if (found !== null)
    throw new TRPCError({
      code: 'BAD_REQUEST',
      cause: invalidField(found.path.replace(/^record\./, ''), found.message),
    });
  return next();
});

function signedOut(): TRPCError {
  return new TRPCError({ code: 'UNAUTHORIZED', cause: new AppError('sign_in_required') });
}

function refusal(code: ErrorCode): TRPCError {
  return new TRPCError({ code: 'FORBIDDEN', cause: new AppError(code) });
}

/**
 * A procedure for every signed-in person, even one who is no member, or must first change a password that the operator
 * issued. Only the change of the password uses it.
 */
export const personProcedure = t.procedure
  .use(mapped)
  .use(({ ctx, next }) => {
    const { access, outsider } = ctx;
    const person = access === 'outsider' ? outsider : access;
    if (!person) throw signedOut();
    const run = () => next({ ctx: { ...ctx, person } });
    return access === null || access === 'outsider' ? run() : inControlCenter(access.tenantId, run);
  })
  .use(storable);

/**
 * A procedure for all members, even those who lack a second factor that the tenant requires. If the call names a tenant of
 * which the signed-in user is not a member, the error is the same as for an unknown tenant.
 */
export const accountProcedure = t.procedure
  .use(mapped)
  .use(({ ctx, next }) => {
    const { access: member } = ctx;
    if (member === null) throw signedOut();
    if (member === 'outsider') throw new TRPCError({ code: 'NOT_FOUND', cause: new AppError('not_found') });
    if (member.mustChangePassword) throw refusal('password_change_required');
    const by = { tenantId: member.tenantId, actor: actorOf(member) };
    // Even if a statement of a procedure lacks a condition on the tenant, the statement finds only rows of the tenant.
    return inControlCenter(member.tenantId, () => next({ ctx: { ...ctx, member, by } }), member.locations);
  })
  .use(storable);

/**
 * Creates a procedure for members who have one of these roles and, if the tenant requires it, a second factor. A member
 * who is limited to locations is refused unless the meta contains `byLocation`. While the tenant is suspended, mutations
 * are refused. A mutation whose meta contains `reads` is allowed, because it changes only the audit log.
 */
function procedureOf(...roles: Member['role'][]) {
  return accountProcedure.use(({ ctx, next, type, meta }) => {
    if (ctx.member.lacksSecondFactor) throw refusal('second_factor_required');
    if (!roles.includes(ctx.member.role)) throw refusal('forbidden');
    if (ctx.member.locations !== null && !meta?.byLocation) throw refusal('forbidden');
    if (ctx.member.suspended && type === 'mutation' && !meta?.reads) throw refusal('business_suspended');
    return next();
  });
}

/** A procedure for owners and support, who are allowed to see partner data. */
export const memberProcedure = procedureOf('OWNER', 'SUPPORT');

/** A procedure for every member, including the front desk. It must return only bookings or the catalog. */
export const everyMemberProcedure = procedureOf('OWNER', 'SUPPORT', 'FRONT_DESK');

/** A procedure for owners and the front desk. It changes bookings or returns contacts. */
export const deskProcedure = procedureOf('OWNER', 'FRONT_DESK');

export const ownerProcedure = procedureOf('OWNER');

/**
 * A middleware for sensitive procedures, which give or take access or hand out secrets or many records: the member must
 * have signed in or confirmed the session within `CONFIRMED_MINUTES`. The page then asks for the proof and sends the call
 * again.
 */
export const confirmed = t.middleware(({ ctx: { access, now }, next }) => {
  if (access === null || access === 'outsider' || !isConfirmed(now, access)) throw refusal('confirmation_required');
  return next();
});

export const sensitiveProcedure = ownerProcedure.use(confirmed);

function actorOf({ userId: id, tenantId }: Member) {
  return { kind: 'owner', id, tenantId } as const;
}

export const router = t.router;

/** Creates functions that call procedures without HTTP, for exports, prefetching, and tests. */
export const createCallerFactory = t.createCallerFactory;
