import { BASE_PATH, OPERATIONS, type OperationId } from './operations';

/** A path of the public API with its pattern, its methods, and their operations. */
export type KnownPath = {
  pattern: string;
  methods: readonly string[];
  operations: ReadonlyMap<string, OperationId>;
  segments: readonly string[];
};

/**
 * Matches a variable path segment. Such a segment has no escapes, slashes, or characters that a URL parser would
 * change.
 */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,200}$/;

/** Maximum number of characters of a known path. A longer path is not split into segments. */
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
 * Returns the known path that a raw path matches literally; null if the raw path matches none. Escapes, repeated or
 * trailing slashes, and dot segments make a path unknown. There is no redirect (contract B2).
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
