/** Matches the name of a header. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/i;
/** Matches a valid value of an HTTP header. */
const VALUE = /^[\t -~]+$/;

/**
 * Parses a list of headers in the format of OTEL_EXPORTER_OTLP_HEADERS: `name=value,name=value`, with percent-encoded
 * values, such as `Authorization=Bearer%20abc`. Returns null if the list is invalid.
 */
export function parseHeaderList(text: string): Record<string, string> | null {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(at, 0)).trim();
    const value = decoded(pair.slice(at + 1).trim());
    if (!NAME.test(name) || value === null || !VALUE.test(value)) return null;
    headers[name] = value;
  }
  return headers;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
