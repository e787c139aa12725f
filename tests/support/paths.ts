import { BASE_PATH, listCatalog, listSpecialists } from '@/lib/contract/operations';

/** Path of `GET /catalog`. */
export const CATALOG = BASE_PATH + listCatalog.path;

/** Path of `GET /catalog/specialists`. */
export const SPECIALISTS = BASE_PATH + listSpecialists.path;

/** Returns a path with percent-encoded query parameters. */
export function withQuery(path: string, parameters: Record<string, string | number>): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  return `${path}?${query}`;
}
