import { LRUCache } from 'lru-cache';
import type { Policy } from '@/lib/access/applications/policy';
import type { ServicesPage } from '@/lib/booking/catalog/view-types';
import type { Operation } from '@/lib/contract/operations';
import { answerToken } from '@/lib/platform/answer-token';
import { tokenKeyFor } from '@/lib/platform/secrets';
import { type Call, headerOf } from './call';
import { type CursorScope, writeCursor } from './cursor';
import { refundUnchanged } from './limit';
import type { Result } from './partner-route';

/** Characters. A longer If-None-Match is ignored. */
const MAX_HEADER = 4_000;

type Question = { operation: Operation; query: { min_token?: string }; locale: string | null };

type Answer = Question & {
  /** The members of `data`, as JSON without the braces. */
  members: readonly (string | Buffer)[];
  headers?: Record<string, string>;
  /** As how many requests this one was counted. */
  cost?: number;
};

/**
 * Returns the result of a read with its token in the body and in `ETag`, or a 304 if the caller holds the same answer
 * (contract B17). The token is computed from the whole answer, so a 304 is true however the answer could have changed.
 */
export async function tokenResult(call: Call, policy: Policy, answer: Answer): Promise<Result> {
  const { members, headers, cost = 1 } = answer;
  const token = answerToken({ ...policy, operation: answer.operation.id, filters: filtersOf(answer) }, members);
  return resultOf(call, policy, { data: ['{', ...members, `,"token":"${token}"}`], token, headers, cost });
}

/** Of one page. Each takes about 500 bytes. */
const MAX_ENDS = 50;

/** The part of an answer after its page. */
type End = { text: string; token: string };

// Garbage-collected with the pages, and with the keys of a replaced secret.
const ends = new WeakMap<ServicesPage, WeakMap<Buffer, LRUCache<string, End>>>();

function endsOf(page: ServicesPage): LRUCache<string, End> {
  const key = tokenKeyFor('answer');
  const byKey = ends.get(page) ?? new WeakMap<Buffer, LRUCache<string, End>>();
  ends.set(page, byKey);
  const known = byKey.get(key) ?? new LRUCache<string, End>({ max: MAX_ENDS });
  byKey.set(key, known);
  return known;
}

/**
 * Like `tokenResult`, for a cached page. The cursor and the token of an application and a query are computed once per page,
 * because they would take longer than everything else.
 */
export async function pageResult(
  call: Call,
  policy: Policy,
  { scope, page, ...question }: Question & { scope: CursorScope; page: ServicesPage },
): Promise<Result> {
  const filters = filtersOf(question);
  const known = endsOf(page);
  const key = `${policy.applicationId} ${filters}`;
  let end = known.get(key);
  if (end === undefined) {
    const token = answerToken({ ...policy, operation: question.operation.id, filters }, [page.digest]);
    const next = page.last === null ? 'null' : `"${writeCursor(scope, page.last)}"`;
    end = { text: `,"next_cursor":${next},"token":"${token}"}`, token };
    known.set(key, end);
  }
  const headers = { 'Content-Language': page.languages };
  return resultOf(call, policy, { data: ['{', page.json, end.text], token: end.token, headers, cost: 1 });
}

function filtersOf({ query: { min_token: _, ...filters }, locale }: Question): string {
  return JSON.stringify([filters, locale]);
}

type Made = { data: (string | Buffer)[]; token: string; headers: Record<string, string> | undefined; cost: number };

async function resultOf(call: Call, policy: Policy, { data, token, headers, cost }: Made): Promise<Result> {
  const tag = { ETag: `W/"${token}"` };
  if (!holds(headerOf(call, 'if-none-match'), token)) return { data, headers: { ...headers, ...tag } };
  await refundUnchanged(call, policy, cost);
  return { status: 304, data: '', headers: tag };
}

/** Returns whether an If-None-Match header has the token. As RFC 9110 states, the comparison is weak, and `*` fits. */
function holds(header: string | null, token: string): boolean {
  if (header === null || header.length > MAX_HEADER) return false;
  return header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === `"${token}"`);
}
