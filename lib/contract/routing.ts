import { ALL_OPERATIONS, BASE_PATH, type OperationId } from './operations';

/** A path of the public API with its pattern, its methods, and their operations. */
export type KnownPath = {
  pattern: string;
  methods: readonly string[];
  operations: ReadonlyMap<string, OperationId>;
  /** In LIVE, the path is unknown (contract B20). */
  testOnly: boolean;
  segments: readonly string[];
};

/** Matches the value of a variable path segment. It contains only characters that no URL parser changes. */
const SEGMENT = /^(?!\.{1,2}$)[A-Za-z0-9_.~-]{1,200}$/;

/** Maximum number of characters of a known path. A longer path is not split into segments. */
const MAX_LENGTH = 1_000;
/** Characters. The edge refuses much longer paths. */
const MAX_MALFORMED = 20_000;

function knownPaths(): KnownPath[] {
  const byPattern = new Map<string, Map<string, OperationId>>();
  const testOnly = new Set<string>();
  for (const { id, path, method, testOnly: only } of ALL_OPERATIONS) {
    byPattern.set(path, new Map([...(byPattern.get(path) ?? []), [method, id]]));
    if (only) testOnly.add(path);
  }
  return [...byPattern].map(([path, operations]) => ({
    pattern: BASE_PATH + path,
    methods: [...operations.keys()].sort(),
    operations,
    testOnly: testOnly.has(path),
    segments: (BASE_PATH + path).split('/'),
  }));
}

const KNOWN = knownPaths();
const FIXED = new Map(KNOWN.filter(({ pattern }) => !pattern.includes('{')).map((known) => [known.pattern, known]));
const VARIABLE = KNOWN.filter(({ pattern }) => pattern.includes('{'));

/**
 * Returns the known path whose pattern fits the path of a request; null if there is none. The request's path is not
 * normalized: a path with escapes, repeated or trailing slashes, or dot segments fits no pattern. There is no redirect
 * (contract B2).
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

/**
 * Returns the name of the variable in a path that only a malformed id keeps from fitting a pattern; null if the path
 * fits none. Such an id gets the same 404 as an unknown one (contract B3).
 */
export function malformedVariable(path: string): string | null {
  const segments = path.slice(0, MAX_MALFORMED).split('/');
  const near = VARIABLE.find(
    ({ segments: pattern }) =>
      pattern.length === segments.length &&
      pattern.every((part, i) => (part.startsWith('{') ? segments[i] !== '' : part === segments[i])),
  );
  return near?.segments.find((part) => part.startsWith('{'))?.slice(1, -1) ?? null;
}
