import { BASE_PATH, type Operation } from '../operations';
import type { Deployment } from './deployment';
import type { Parameter } from './schema-rows';

function exampleOf(parameters: readonly Parameter[], name: string): string {
  return String(parameters.find((one) => one.name === name)?.example ?? '');
}

/** Returns whether an example sends a parameter. A list of bookings needs one of several filters, and this one is enough. */
export function isSent({ name, required }: Parameter): boolean {
  return required || name === 'external_reference';
}

/** Returns the query parameters that the example of an operation sends. */
export function sentQuery(parameters: readonly Parameter[]): Parameter[] {
  const needed = parameters.filter((one) => one.in === 'query' && isSent(one));
  // Needed for a service that several locations offer.
  const hasPlace = needed.some(({ name }) => name === 'service_id' || name === 'date');
  return [...needed, ...parameters.filter(({ name }) => hasPlace && name === 'location_id')];
}

/**
 * Returns a curl command for an operation, with the parameters that it needs and the example body. The key is in the
 * environment variable `API_KEY`, as in the quickstart.
 */
export function curlOf(
  { method, path }: Operation,
  parameters: readonly Parameter[],
  body: unknown,
  { origin }: Deployment,
): string {
  const search = sentQuery(parameters)
    .map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`)
    .join('&');
  const target = path.replace(/\{(\w+)\}/, (_, name) => exampleOf(parameters, name)) + (search && `?${search}`);
  const lines = [`curl -s "${origin}${BASE_PATH}${target}"`, '-H "Authorization: Bearer $API_KEY"'];
  if (body) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    lines.push('-H "Content-Type: application/json"');
    lines.push(`-H "Idempotency-Key: ${exampleOf(parameters, 'Idempotency-Key')}"`, `-d '${json}'`);
  } else if (method !== 'GET') {
    lines.push(`-X ${method}`);
  }
  return lines.join(' \\\n  ');
}
