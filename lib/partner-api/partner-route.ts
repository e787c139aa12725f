import type { z } from 'zod';
import { errorAnswer, successAnswer, type Answer } from './answer';
import { authenticate } from './authenticate';
import { beginCall, type Call } from './call';
import { checkRateLimit } from './limit';
import { logCall } from './log-line';
import { parseQuery } from './query';
import { checkRestrictions } from './restrictions';
import { checkScope, refuseRoute } from './route';
import type { Policy } from '../applications/policy';
import { systemClock } from '../clock';
import { BASE_PATH, type Operation } from '../contract/operations';
import type { AppError } from '../errors/app-error';
import { toAppError } from '../errors/unexpected';
import { failureQuota } from '../rate-limit/rate-limit';

/** What an operation gets: who calls, what they ask, and when. */
export type Context<O extends Operation> = {
  call: Call;
  policy: Policy;
  query: z.output<O['query']>;
  now: Date;
};

/** What an operation returns: its data as JSON, and headers of its own. */
export type Result = { status?: 200 | 201; data: string; headers?: Record<string, string> };

type Handler = (request: Request) => Promise<Response>;

/**
 * Returns the route handler of an operation. This is the order of checks of contract B2; each step is a file of its
 * own beside this one, and the operation runs only when all have passed.
 */
export function partnerRoute<O extends Operation>(operation: O, handle: (context: Context<O>) => Promise<Result>): Handler {
  return answering(async (call) => {
    call.route = BASE_PATH + operation.path;
    const policy = await admit(call);
    checkScope(policy, operation.scope);
    const query = parseQuery(call.search, operation.query) as z.output<O['query']>;
    return handle({ call, policy, query, now: call.at });
  });
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
  await checkRestrictions(call, policy);
  await checkRateLimit(call, policy);
  return policy;
}

/** Turns what `run` returns or throws into the answer of the contract, and leaves a line in the request log. */
function answering(run: (call: Call) => Promise<Result>): Handler {
  return async (request) => {
    const call = beginCall(request, systemClock());
    let answer: Answer;
    let error: AppError | null = null;
    try {
      const { status = 200, data, headers } = await run(call);
      answer = successAnswer(call.requestId, await quotaOf(call), status, data, headers);
    } catch (thrown) {
      error = toAppError(thrown, call.requestId);
      answer = errorAnswer(error, call.requestId, await quotaOf(call));
    }
    logCall(call, answer.status, error);
    return new Response(answer.body, { status: answer.status, headers: answer.headers });
  };
}

// Without an application the headers report the address's quota (contract B2).
function quotaOf(call: Call) {
  return call.quota ?? failureQuota(call.address, call.at.getTime());
}
