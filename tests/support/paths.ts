import { BASE_PATH, listCatalog, listSpecialists } from '@/lib/contract/operations';

export const CATALOG = BASE_PATH + listCatalog.path;

export const SPECIALISTS = BASE_PATH + listSpecialists.path;

export function withQuery(path: string, parameters: Record<string, string | number>): string {
  const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
  return `${path}?${query}`;
}
