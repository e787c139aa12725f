import { BASE_PATH, type Operation } from '../operations';
import type { Deployment } from './deployment';
import type { Parameter } from './schema-rows';

function exampleOf(parameters: readonly Parameter[], name: string): string {
  return String(parameters.find((one) => one.name === name)?.example ?? '');
}

/**
 * Returns a curl command for an operation, with its required parameters and the example body. The key is in the
 * environment variable `API_KEY`, as in the quickstart.
 */
export function curlOf(
  { method, path }: Operation,
  parameters: readonly Parameter[],
  body: unknown,
  { origin }: Deployment,
): string {
  const required = parameters.filter((one) => one.in === 'query' && one.required);
  // The optional `location_id` is included too, because it is needed for a service that several locations offer.
  const query = required.length > 0 ? [...required, ...parameters.filter(({ name }) => name === 'location_id')] : [];
  const search = query.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
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
