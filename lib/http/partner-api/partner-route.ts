import type { z } from 'zod';
import { type Policy, timeOf } from '@/lib/access/applications/policy';
import { countRequest, countWrite } from '@/lib/activity/metrics/counters';
import { copyEntry } from '@/lib/activity/request-log/copy';
import { mayLogRefusal } from '@/lib/activity/request-log/refusals';
import { type Identity, identityOf, parseIdempotencyKey } from '@/lib/booking/idempotency/key';
import { type Deprecations, deprecationHeaders } from '@/lib/contract/deprecations';
import { AppError } from '@/lib/contract/errors/app-error';
import {
  BASE_PATH,
  type Operation,
  type OperationId,
  type SuccessStatus,
  type WriteOperation,
} from '@/lib/contract/operations';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { failureQuota } from '@/lib/platform/rate-limit/rate-limit';
import { refusedByRules, rulesProblem } from '@/lib/platform/rules-in-force';
import { type FinishedRequest, traced, traceRequest } from '@/lib/platform/tracing/tracing';
import { toAppError } from '@/lib/platform/unexpected';
import { type Budget, beginBudget, within } from '@/lib/platform/write-transaction';
import { authenticate } from './authenticate';
import { parseBody, readBody, withoutAbsent } from './body';
import { beginCall, type Call, headerOf } from './call';
import { checkRateLimit } from './limit';
import { logCall } from './log-entry';
import { notOlder } from './min-token';
import { parseQuery } from './query';
import { type Data, errorResponse, successResponse } from './response';
import { checkRestrictions } from './restrictions';
import { checkScope, refuseRoute } from './route';
import { type Answer, type Respond, type RouteHandler, routeHandler } from './web';
import { awaitBegin, beginWork, OVERLOADED } from './work';

export type Context<O extends Operation> = {
  call: Call;
  policy: Policy;
  query: z.output<O['query']>;
  /** The time of the application's clock, for its rules (contract B20). `call.at` is real time. */
  now: Date;
};

export type WriteContext<O extends WriteOperation> = Context<O> & {
  body: z.output<O['body']>;
  identity: Identity;
  budget: Budget;
};

export type Result = {
  /** 304 has no body (contract B17). */
  status?: SuccessStatus | 304;
  data: Data;
  headers?: Record<string, string>;
  /** Whether the log entry was written in the write's transaction. */
  logged?: boolean;
  /** Closes the connection without a response. Only the sandbox sets this (contract B13). */
  lost?: true;
};

/** Returns the route of an operation. Calls `handle` if the request passes all checks (contract B2). */
export function partnerRoute<O extends Operation>(
  operation: O,
  handle: (context: Context<O>) => Promise<Result>,
  deprecations?: Deprecations,
): RouteHandler {
  const run = async (call: Call) => {
    const context = await contextOf(call, operation);
    return context instanceof AppError ? context : handle(context);
  };
  return routeOf(run, () => deprecationHeaders(operation.id, env().origin, deprecations));
}

/** Returns the route of a write. Also parses the idempotency key and the body, a part of step 6 (contract B2). */
export function partnerWriteRoute<O extends WriteOperation>(
  operation: O,
  handle: (context: WriteContext<O>) => Promise<Result>,
  deprecations?: Deprecations,
): RouteHandler {
  const run = async (call: Call) => {
    const begun = performance.now();
    // Authentication can query the database, so its time counts against the time budget (contract B8).
    const context = await within(beginBudget().endAt, contextOf(call, operation));
    if (context instanceof AppError) return context;
    const spent = performance.now() - begun;
    const key = parseIdempotencyKey(headerOf(call, 'idempotency-key'));
    const body = await readBody(call);
    call.body = body;
    const identity = identityOf(context.policy.applicationId, key, operation.method, call.path, withoutAbsent(body));
    call.idempotencyKeyHash = identity.keyHash.toString('hex');
    const parsed = parseBody(body, operation.body) as z.output<O['body']>;
    // `spent` does not include the time that the client took to send the body.
    const budget = beginBudget(spent, context.policy.applicationId);
    return handle({ ...context, body: parsed, identity, budget });
  };
  return routeOf(run, () => deprecationHeaders(operation.id, env().origin, deprecations));
}

/** Steps 2 to 5 (contract B2), and the query as a part of step 6. Returns the refusals of steps 2 to 4. */
async function contextOf<O extends Operation>(call: Call, operation: O): Promise<Context<O> | AppError> {
  call.route = BASE_PATH + operation.path;
  const policy = await admit(call);
  if (policy instanceof AppError) return policy;
  if (operation.scope !== null) checkScope(policy, operation.scope);
  if (usesSlots(operation) && rulesProblem() !== null) return refusedByRules();
  const query = parseQuery(call.search, operation.query) as z.output<O['query']>;
  const current = await notOlder(call, policy, operation, query);
  if (current instanceof AppError) return current;
  return { call, policy: current, query, now: timeOf(current, call.at) };
}

const SLOT_READS: readonly OperationId[] = ['listAvailability', 'listAvailabilityDays', 'explainAvailability'];

/** With other time zone rules than those in force, such operations are refused. */
function usesSlots({ method, id }: Operation): boolean {
  return method === 'POST' || method === 'PUT' || SLOT_READS.includes(id);
}

/** Returns the catch-all route: 405 if the path is known but does not allow the method, otherwise 404 (contract B2). */
export function unknownRoute(): RouteHandler {
  return routeOf(async (call) => {
    const { route, error } = refuseRoute(call.path);
    call.route = route;
    const policy = await admit(call);
    return policy instanceof AppError ? policy : error;
  });
}

const STEPS = [checkRestrictions, checkRateLimit, beginWork, awaitBegin];

/** Steps 2 to 4 (contract B2). Returns refusals instead of throwing them, because most requests of a flood end here. */
async function admit(call: Call): Promise<Policy | AppError> {
  const policy = await authenticate(call);
  if (policy instanceof AppError) return policy;
  for (const step of STEPS) {
    const refusal = await step(call, policy);
    if (refusal) return refusal;
  }
  return policy;
}

type Run = (call: Call) => Promise<Result | AppError>;

function routeOf(run: Run, headers: () => Record<string, string> = () => ({})): RouteHandler {
  const respond: Respond = async (incoming) => {
    const response = await traced(() => respondTo(beginCall(incoming, systemClock()), run));
    Object.assign(response.headers, headers());
    return response;
  };
  return routeHandler(respond);
}

async function respondTo(call: Call, run: Run): Promise<Answer> {
  let response: Answer;
  let error: AppError | null = null;
  let logged = false;
  try {
    const result = await run(call);
    const quota = call.quota ?? (await addressQuota(call));
    if (result instanceof AppError) {
      error = result;
      response = errorResponse(error, call.requestId, quota);
    } else {
      const { status = 200, data, headers } = result;
      logged = result.logged ?? false;
      response = successResponse(call.requestId, quota, status, data, headers);
      if (result.lost) response.lost = true;
    }
  } catch (thrown) {
    error = toAppError(thrown, call.requestId);
    response = errorResponse(error, call.requestId, call.quota ?? (await addressQuota(call)));
  } finally {
    call.responded = true;
    call.endWork?.();
  }
  traceRequest(() => spanOf(call, response.status, error));
  countRequest(call, response.status, error);
  if (logged || call.replayedFrom) countWrite(call.route, !logged);
  if (logged && call.entry) copyEntry(call.entry);
  if (!logged && mayLog(call, error)) logCall(call, response.status, error);
  return response;
}

// Refusals for overload are not logged. Those of unauthenticated or restricted clients are bounded per network.
function mayLog(call: Call, error: AppError | null): boolean {
  return error !== OVERLOADED && (!call.refused || mayLogRefusal(call.address));
}

// Without an application, the X-RateLimit headers show the failure quota of the client's address (contract B2).
function addressQuota(call: Call) {
  return failureQuota(call.address);
}

/** Returns the span of a finished call. Like the log entry, it contains no bodies, contacts, or credentials. */
function spanOf(call: Call, status: number, error: AppError | null): FinishedRequest {
  const method = ['GET', 'POST', 'PUT', 'DELETE'].includes(call.method) ? call.method : '_OTHER';
  return {
    name: call.route ? `${method} ${call.route}` : method,
    begun: call.begun,
    traceparent: headerOf(call, 'traceparent'),
    failed: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': status,
      'booking.request_id': call.requestId,
      ...(call.route && { 'http.route': call.route }),
      ...(call.policy && { 'booking.application_id': call.policy.applicationId }),
      ...(error && { 'error.type': error.code }),
      ...(error?.reason && { 'booking.reason': error.reason }),
    },
  };
}
