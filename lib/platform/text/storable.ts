import type { InvalidField } from '@/lib/contract/errors/body';
import { REPLACEMENT, UNREADABLE } from '@/lib/contract/text';
import { containsSecret } from './secret';

/** No schema accepts deeper input. */
const MAX_DEPTH = 20;

/** PostgreSQL rejects U+0000 in text, and lone surrogates in JSON. */
const UNSTORABLE = /\0|\p{Cs}/u;

/** Only the hash of a password is stored, so it may look like an API key or a secret. */
const PASSWORD = /(^|_)password$/;

/** `searched`: only looked up, or the position of an issue. */
type Rule = 'stored' | 'searched';

/**
 * Returns the path (such as `name.0`) and the issue of the first string that must not be stored, or null. U+FFFD stands
 * for lost letters. The audit log must not contain API keys and secrets.
 */
export function findUnstorable(value: unknown, rule: Rule, path = '', depth = 0): InvalidField | null {
  if (typeof value === 'string') {
    if (UNSTORABLE.test(value)) return { path, message: 'must not contain control characters' };
    if (rule === 'searched' || PASSWORD.test(path)) return null;
    if (value.includes(REPLACEMENT)) return { path, message: UNREADABLE };
    return containsSecret(value) ? { path, message: 'must not contain an API key or a secret' } : null;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = findUnstorable(part, rule, path === '' ? name : `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
