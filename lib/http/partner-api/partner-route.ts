import type { z } from 'zod';
import { type Policy, timeOf } from '@/lib/access/applications/policy';
import { countRequest, countWrite } from '@/lib/activity/metrics/counters';
import { writeLogEntry } from '@/lib/activity/request-log/buffer';
import { mayLogRefusal } from '@/lib/activity/request-log/refusals';
import { type Identity, identityOf, parseIdempotencyKey } from '@/lib/booking/idempotency/once';
import { DEPRECATIONS } from '@/lib/contract/deprecations';
import { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH, type Operation, type OperationId, type WriteOperation } from '@/lib/contract/operations';
import { env } from '@/lib/platform/env';
import { failureQuota } from '@/lib/platform/rate-limit/rate-limit';
import { refusedByRules, rulesProblem } from '@/lib/platform/rules-in-force';
import { type FinishedRequest, traced, traceRequest } from '@/lib/platform/tracing/tracing';
import { toAppError } from '@/lib/platform/unexpected';
import { type Budget, beginBudget, within } from '@/lib/platform/write-transaction';
import { admit, checkScope, notOlder, refuseRoute } from './admission';
import { beginCall, type Call, headerOf, logEntryOf } from './call';
import { parseBody, parseQuery, readText, validate, withoutAbsent } from './request';
import { deprecationHeaders, errorResponse, type Result, successResponse } from './response';
import { type Answer, type Respond, type RouteHandler, routeHandler } from './web';
import { awaitWrite, OVERLOADED } from './work';

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

/** Returns the route of an operation. Calls `handle` if the request passes all checks (contract B2). */
export function partnerRoute<O extends Operation>(
  operation: O,
  handle: (context: Context<O>) => Promise<Result>,
  deprecations = DEPRECATIONS,
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
  deprecations = DEPRECATIONS,
): RouteHandler {
  const run = async (call: Call) => {
    const begun = performance.now();
    // Authentication can query the database, so its time counts against the time budget (contract B8).
    const { endAt } = beginBudget();
    const context = await within(endAt, contextOf(call, operation));
    if (context instanceof AppError) return context;
    const spent = performance.now() - begun;
    const key = parseIdempotencyKey(headerOf(call, 'idempotency-key'));
    // Before the write takes a place, so that clients that send slowly keep no place from other writes.
    const text = await readText(call);
    // `spent` does not include the time that the client took to send the body.
    const budget = beginBudget(spent, context.policy.applicationId);
    // Before the body is parsed, so that a refusal costs little.
    const refusal = await within(budget.endAt, awaitWrite(call, context.policy));
    if (refusal) return refusal;
    const body = parseBody(text);
    call.body = body;
    const identity = identityOf(context.policy.applicationId, key, operation.method, call.path, withoutAbsent(body));
    call.idempotencyKeyHash = identity.keyHash.toString('hex');
    const parsed = validate(body, operation.body) as z.output<O['body']>;
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

type Run = (call: Call) => Promise<Result | AppError>;

function routeOf(run: Run, headers: () => Record<string, string> = () => ({})): RouteHandler {
  const respond: Respond = async (incoming) => {
    const response = await traced(() => respondTo(beginCall(incoming, new Date()), run));
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
    const quota = call.quota ?? (await failureQuota(call.address));
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
    response = errorResponse(error, call.requestId, call.quota ?? (await failureQuota(call.address)));
  } finally {
    call.responded = true;
    call.endWork?.();
  }
  traceRequest(() => spanOf(call, response.status, error));
  countRequest(call, response.status, error);
  if (logged || call.replayedFrom) countWrite(call.route, !logged);
  if (!logged && mayLog(call, error)) writeLogEntry(logEntryOf(call, response.status, error));
  return response;
}

// Refusals for overload are not logged. Those of unauthenticated or restricted clients are bounded per network.
function mayLog(call: Call, error: AppError | null): boolean {
  return error !== OVERLOADED && (!call.refused || mayLogRefusal(call.address));
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
