import { createHmac, timingSafeEqual } from 'node:crypto';
import { acceptedTokenKeys, tokenKeyFor } from './secrets';

/** Characters of each of the two parts of a token: 12 bytes in base64url. */
const PART = 16;

/** What an answer depends on, besides its content. */
type Asked = { tenantId: string; applicationId: string; operation: string; filters: string };

/** Pieces of JSON. Their boundaries do not matter. */
type Pieces = readonly (string | Buffer)[];

/**
 * Returns the token of an answer (contract B17). Equal answers to equal queries of one application have the same token, on
 * all instances and after a restart. Others have another one. The first part depends on the query and the answer, the
 * second one proves which tenant the first part was made for.
 */
export function answerToken({ tenantId, applicationId, operation, filters }: Asked, content: Pieces): string {
  const key = tokenKeyFor('answer');
  const hash = createHmac('sha256', key).update(JSON.stringify([applicationId, operation, filters]));
  for (const piece of content) hash.update(piece);
  const part = hash.digest('base64url').slice(0, PART);
  return part + proof(key, tenantId, part);
}

/** Returns whether this deployment made a token for an answer to an application of the tenant. */
export function isAnswerToken(tenantId: string, token: string): boolean {
  if (token.length !== 2 * PART) return false;
  const given = Buffer.from(token.slice(PART));
  return acceptedTokenKeys('answer').some((key) => {
    const expected = Buffer.from(proof(key, tenantId, token.slice(0, PART)));
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

function proof(key: Buffer, tenantId: string, part: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([tenantId, part]))
    .digest('base64url')
    .slice(0, PART);
}
