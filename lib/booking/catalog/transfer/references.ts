import { MAX_ISSUES } from '../edit/issues';
import type { Issue } from '../edit/kind';
import { MAX_RECORDS } from '../edit/records';
import { MAX_OFFERINGS, TOO_MANY_OFFERINGS } from '../edit/references';
import { LISTS } from './document';

// A value may have any shape, so that references are checked even if a record has other errors.
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/**
 * Returns an issue for each unknown reference and duplicate id, and one for too many offerings, at most `MAX_ISSUES`.
 * The entries of a list that is too long are not read.
 */
export function crossIssues(value: unknown, realId: (kind: string, id: string) => string): Issue[] {
  const lists = new Map(LISTS.map(([list]) => [list, listOf(fieldOf(value, list))]));
  if ([...lists.values()].some((records) => records.length > MAX_RECORDS)) return [];
  const issues: Issue[] = [];
  const add = (path: (string | number)[], message: string) => {
    if (issues.length < MAX_ISSUES) issues.push({ path, message });
  };
  for (const [list, kind] of LISTS) {
    const seen = new Set<string>();
    for (const [index, record] of (lists.get(list) ?? []).entries()) {
      const given = textOf(fieldOf(record, 'id'));
      if (given === null) continue;
      const id = realId(kind, given);
      if (seen.has(id)) add([list, index, 'id'], 'is listed twice');
      seen.add(id);
    }
  }
  const ids = (list: 'locations' | 'services') => new Set(lists.get(list)?.map((record) => fieldOf(record, 'id')));
  const known = { location: ids('locations'), service: ids('services') };
  const refer = (what: keyof typeof known, id: unknown, path: (string | number)[]) => {
    if (typeof id === 'string' && !known[what].has(id)) add(path, `must be a ${what} in this document`);
  };
  let offerings = 0;
  for (const [index, specialist] of (lists.get('specialists') ?? []).entries()) {
    for (const [at, place] of listOf(fieldOf(specialist, 'workplaces')).entries()) {
      const path = ['specialists', index, 'workplaces', at];
      const offered = listOf(fieldOf(place, 'service_ids'));
      offerings += offered.length;
      refer('location', fieldOf(place, 'location_id'), [...path, 'location_id']);
      for (const [n, id] of offered.entries()) refer('service', id, [...path, 'service_ids', n]);
    }
  }
  if (offerings > MAX_OFFERINGS) issues.push({ path: ['specialists'], message: TOO_MANY_OFFERINGS });
  return issues;
}
