import type { z } from 'zod';
import type { Policy } from '@/lib/access/applications/policy';
import { countRequest, countWrite } from '@/lib/activity/metrics/counters';
import { type Identity, identityOf, parseIdempotencyKey } from '@/lib/booking/idempotency/key';
import type { AppError } from '@/lib/contract/errors/app-error';
import { BASE_PATH, type Operation, type WriteOperation } from '@/lib/contract/operations';
import { systemClock } from '@/lib/platform/clock';
import { failureQuota } from '@/lib/platform/rate-limit/rate-limit';
import { toAppError } from '@/lib/platform/unexpected';
import { type Budget, beginBudget, within } from '@/lib/platform/write-transaction';
import { type Answer, type Data, errorAnswer, successAnswer } from './answer';
import { authenticate } from './authenticate';
import { parseBody, readBody } from './body';
import { beginCall, type Call } from './call';
import { checkRateLimit } from './limit';
import { logCall } from './log-line';
import { parseQuery } from './query';
import { checkRestrictions } from './restrictions';
import { checkScope, refuseRoute } from './route';

/** What an operation gets: who calls, what they ask, and when. */
export type Context<O extends Operation> = {
  call: Call;
  policy: Policy;
  query: z.output<O['query']>;
  now: Date;
};

/** What a write gets beside that: its body, what makes it the same write again, and how long it may take (contract B8). */
export type WriteContext<O extends WriteOperation> = Context<O> & {
  body: z.output<O['body']>;
  identity: Identity;
  budget: Budget;
};

/** What an operation returns: its data as JSON, and headers of its own. */
export type Result = {
  status?: 200 | 201;
  data: Data;
  headers?: Record<string, string>;
  /** The request's line has been written with the change it made. */
  logged?: boolean;
};

type Handler = (request: Request) => Promise<Response>;

/**
 * Returns the route handler of an operation. This is the order of checks of contract B2; each step is a file of its
 * own beside this one, and the operation runs only when all have passed.
 */
export function partnerRoute<O extends Operation>(
  operation: O,
  handle: (context: Context<O>) => Promise<Result>,
): Handler {
  return answering(async (call) => handle(await contextOf(call, operation)));
}

/** Returns the route handler of a write: the same steps, with the key and the body as part of step 6 (contract B2, B8). */
export function partnerWriteRoute<O extends WriteOperation>(
  operation: O,
  handle: (context: WriteContext<O>) => Promise<Result>,
): Handler {
  return answering(async (call, request) => {
    const begun = performance.now();
    // Who calls may have to be asked of the database, and that counts as well (contract B8).
    const context = await within(beginBudget().endAt, contextOf(call, operation));
    const spent = performance.now() - begun;
    const key = parseIdempotencyKey(call.headers.get('idempotency-key'));
    const body = await readBody(request);
    const identity = identityOf(context.policy.applicationId, key, operation.method, call.path, body);
    call.idempotencyKeyHash = identity.keyHash.toString('hex');
    const parsed = parseBody(body, operation.body) as z.output<O['body']>;
    // A client that sends its body slowly spends its own time, not the write's.
    return handle({ ...context, body: parsed, identity, budget: beginBudget(spent) });
  });
}

/** Steps 2 to 6, without the body (contract B2). */
async function contextOf<O extends Operation>(call: Call, operation: O): Promise<Context<O>> {
  call.route = BASE_PATH + operation.path;
  const policy = await admit(call);
  checkScope(policy, operation.scope);
  const query = parseQuery(call.search, operation.query) as z.output<O['query']>;
  return { call, policy, query, now: call.at };
}

/** Returns the handler of everything that is no route: 404, or 405 on a known path (contract B2). */
export function unknownRoute(): Handler {
  return answering(async (call) => {
    const { route, error } = refuseRoute(call.path);
    call.route = route;
    await admit(call);
    throw error;
  });
}

/** Steps 2 to 4 (contract B2): who calls, may they, and how often. */
async function admit(call: Call): Promise<Policy> {
  const policy = await authenticate(call);
  const restricted = checkRestrictions(call, policy);
  if (restricted) await restricted;
  await checkRateLimit(call, policy);
  return policy;
}

/** Turns what `run` returns or throws into the answer of the contract, and leaves a line in the request log. */
function answering(run: (call: Call, request: Request) => Promise<Result>): Handler {
  return async (request) => {
    const call = beginCall(request, systemClock());
    let answer: Answer<string | Buffer<ArrayBuffer>>;
    let error: AppError | null = null;
    let logged = false;
    try {
      const result = await run(call, request);
      const { status = 200, data, headers } = result;
      logged = result.logged ?? false;
      answer = successAnswer(call.requestId, call.quota ?? (await quotaOf(call)), status, data, headers);
    } catch (thrown) {
      error = toAppError(thrown, call.requestId);
      answer = errorAnswer(error, call.requestId, call.quota ?? (await quotaOf(call)));
    }
    countRequest(call, answer.status, error);
    if (logged || call.replayedFrom) countWrite(call.route, !logged);
    if (!logged) logCall(call, answer.status, error);
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  };
}

// Without an application the headers report the address's quota (contract B2).
function quotaOf(call: Call) {
  return failureQuota(call.address);
}
