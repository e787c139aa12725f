import { type Call, headerOf } from './call';

const SEND = 'Send the header Authorization: Bearer, followed by a space and the key.';

/** Characters of a header or query that are read. */
const MAX_READ = 2_000;

const HEADERS = ['x-api-key', 'api-key', 'x-auth-token', 'x-access-token'];
const PARAMETER = /(?:^|&)(?:api[_-]?key|key|access_token|token|authorization)=|=(?:bearer(?:\+|%20))?pbk_/i;

/**
 * Returns the message for a request without a Bearer key whose key seems to be in another place; undefined if there is
 * none. It depends only on the place: whether the key is valid is never checked, so the message tells nothing about it.
 */
export function misplacedKey(call: Pick<Call, 'headers' | 'search'>): string | undefined {
  const authorization = headerOf(call, 'authorization')?.trim().slice(0, MAX_READ) ?? '';
  if (/^basic(?:\s|$)/i.test(authorization)) return `The key cannot be sent with Basic authentication. ${SEND}`;
  if (authorization !== '' && !/^bearer$/i.test(authorization))
    return `The Authorization header does not start with Bearer and a space. ${SEND}`;
  if (HEADERS.some((name) => headerOf(call, name))) return `The key was sent in another header. ${SEND}`;
  if (PARAMETER.test(call.search.slice(0, MAX_READ)))
    return `A key must not be in the URL, which logs can show: have it rotated. ${SEND}`;
  return undefined;
}
