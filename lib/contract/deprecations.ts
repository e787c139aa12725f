import type { OperationId } from './operations';

/** Instants in RFC 3339. */
export type Deprecation = { deprecated: string; sunset: string | null };

export type Deprecations = Partial<Record<OperationId, Deprecation>>;

/** The deprecated operations of v1 (contract A, guide to versions). None is. */
export const DEPRECATIONS: Deprecations = {};

/** Returns the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594), and `Link` of an operation's responses, if it is deprecated. */
export function deprecationHeaders(
  id: OperationId,
  origin: string,
  deprecations: Deprecations = DEPRECATIONS,
): Record<string, string> {
  const found = deprecations[id];
  if (!found) return {};
  const { deprecated, sunset } = found;
  return {
    Deprecation: `@${Math.floor(Date.parse(deprecated) / 1000)}`,
    ...(sunset !== null && { Sunset: new Date(sunset).toUTCString() }),
    Link: `<${origin}/docs/changelog>; rel="deprecation"; type="text/html"`,
  };
}
