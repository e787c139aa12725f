import type { Policy } from '@/lib/access/applications/policy';
import type { Operation } from '@/lib/contract/operations';
import { answerToken } from '@/lib/platform/answer-token';
import { type Call, headerOf } from './call';
import { refundUnchanged } from './limit';
import type { Result } from './partner-route';

/** Characters. A longer If-None-Match is ignored. */
const MAX_HEADER = 4_000;

type Answer = {
  operation: Operation;
  query: { min_token?: string };
  locale: string | null;
  /** The members of `data`, as JSON without the braces. */
  members: readonly (string | Buffer)[];
  /** What the token depends on, if it is not `members`. */
  content?: Buffer;
  headers?: Record<string, string>;
  /** As how many requests this one was counted. */
  cost?: number;
};

/**
 * Returns the result of a read with its token in the body and in `ETag`, or a 304 if the caller holds the same answer
 * (contract B17). The token is computed from the whole answer, so a 304 is true however the answer could have changed.
 */
export async function tokenResult(call: Call, policy: Policy, answer: Answer): Promise<Result> {
  const { operation, query, locale, members, content, headers, cost = 1 } = answer;
  const { min_token: _, ...filters } = query;
  const asked = { ...policy, operation: operation.id, filters: JSON.stringify([filters, locale]) };
  const token = answerToken(asked, content ? [content] : members);
  const tag = { ETag: `W/"${token}"` };
  if (!holds(headerOf(call, 'if-none-match'), token))
    return { data: ['{', ...members, `,"token":"${token}"}`], headers: { ...headers, ...tag } };
  await refundUnchanged(call, policy, cost);
  return { status: 304, data: '', headers: tag };
}

/** Returns whether an If-None-Match header has the token. As RFC 9110 states, the comparison is weak, and `*` fits. */
function holds(header: string | null, token: string): boolean {
  if (header === null || header.length > MAX_HEADER) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${token}"`);
}
