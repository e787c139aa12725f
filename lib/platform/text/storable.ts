import type { InvalidField } from '@/lib/contract/errors/app-error';
import { holdsSecret } from './secret';

/** Depth of the deepest input with a lot to spare; what is nested deeper no schema accepts. */
const MAX_DEPTH = 20;

/** U+0000, which PostgreSQL holds in no text, and half a surrogate pair, which it holds in no JSON. */
const NOWHERE_STORED = /\0|\p{Cs}/u;

/** What is hashed, never kept or written down: whoever chose such a password must be able to change it. */
const PASSWORD = /(^|_)password$/;

type Rule = { secrets: 'refused' | 'allowed' };

/**
 * Returns where in an input a text stands that cannot be stored, as `name.0`, and what is wrong with it; null when
 * there is none. With `refused`, that is also one that holds a credential: the audit log takes none.
 */
export function unstorable(value: unknown, rule: Rule, path = '', depth = 0): InvalidField | null {
  if (typeof value === 'string') {
    if (NOWHERE_STORED.test(value)) return { path, message: 'must not have control characters' };
    const isKept = rule.secrets === 'refused' && !PASSWORD.test(path);
    return isKept && holdsSecret(value) ? { path, message: 'must not hold an API key or a secret' } : null;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = unstorable(part, rule, path === '' ? name : `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
