import { BASE_PATH, OPERATIONS, type OperationId } from './operations';

/** A path of the public API: its pattern, its methods, and the operation of each method. */
export type KnownPath = {
  pattern: string;
  methods: readonly string[];
  operations: ReadonlyMap<string, OperationId>;
  segments: readonly string[];
};

/**
 * Matches the value of a variable path segment. The value must not contain escapes, slashes, or characters that a URL
 * parser would change.
 */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,200}$/;

/** Maximum length in characters of a known path. A longer path is not split into segments. */
const MAX_LENGTH = 1_000;

function knownPaths(): KnownPath[] {
  const byPattern = new Map<string, Map<string, OperationId>>();
  for (const { id, path, method } of OPERATIONS)
    byPattern.set(path, new Map([...(byPattern.get(path) ?? []), [method, id]]));
  return [...byPattern].map(([path, operations]) => ({
    pattern: BASE_PATH + path,
    methods: [...operations.keys()].sort(),
    operations,
    segments: (BASE_PATH + path).split('/'),
  }));
}

const KNOWN = knownPaths();
const FIXED = new Map(KNOWN.filter(({ pattern }) => !pattern.includes('{')).map((known) => [known.pattern, known]));
const VARIABLE = KNOWN.filter(({ pattern }) => pattern.includes('{'));

/**
 * Returns the known path that a raw, undecoded path matches literally, or null. A path with escapes, repeated slashes,
 * a trailing slash, or dot segments matches no known path. The server treats such a path as an unknown route and does
 * not redirect it (contract B2).
 */
export function matchPath(path: string): KnownPath | null {
  const fixed = FIXED.get(path);
  if (fixed) return fixed;
  if (path.length > MAX_LENGTH) return null;
  const segments = path.split('/');
  return VARIABLE.find((known) => fits(known.segments, segments)) ?? null;
}

function fits(pattern: readonly string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((part, i) => (part.startsWith('{') ? SEGMENT.test(segments[i] ?? '') : part === segments[i]));
}
