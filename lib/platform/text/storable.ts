import type { InvalidField } from '@/lib/contract/errors/body';
import { REPLACEMENT, UNREADABLE } from '@/lib/contract/text';
import { containsSecret } from './secret';

/** Maximum nesting depth that is checked. No schema accepts deeper input. */
const MAX_DEPTH = 20;

/** Matches U+0000, which PostgreSQL rejects in text, or a lone surrogate, which PostgreSQL rejects in JSON. */
const UNSTORABLE = /\0|\p{Cs}/u;

/**
 * Matches the path of a password field. A password is allowed to look like an API key or a secret, because only its
 * hash is stored.
 */
const PASSWORD = /(^|_)password$/;

/** `stored` if the text will be stored, `searched` if it is only looked up or reports the position of such an issue. */
type Rule = 'stored' | 'searched';

/**
 * Finds the first string that must not be stored. Returns its path (such as `name.0`) and what is wrong with it, or
 * null if every string may be stored. With the rule `stored`, U+FFFD must not be stored, because it stands for lost
 * letters, and neither must API keys and secrets, because the audit log must not contain them. Passwords are exempt.
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
