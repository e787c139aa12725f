/** The fields that identify an entry of a list, such as the day of an interval or the location of a workplace. */
const IDENTITY = ['weekday', 'date', 'location_id', 'specialist_id'];

/**
 * Returns the number of changes between two values of a form. Each changed field is one change, also in a nested
 * object: each translation of a text, and each part of an address. In a list, each added or removed entry is one
 * change, and each changed field of an edited entry is one change. The order of the entries is ignored.
 */
export function countChanges(before: unknown, after: unknown): number {
  if (JSON.stringify(before) === JSON.stringify(after)) return 0;
  if (Array.isArray(before) && Array.isArray(after)) return countInList(before, after);
  if (!isObject(before) || !isObject(after)) return 1;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.reduce((sum, name) => sum + countChanges(before[name], after[name]), 0);
}

function countInList(before: unknown[], after: unknown[]): number {
  const removed = groupsOf(missingFrom(after, before));
  const added = groupsOf(missingFrom(before, after));
  let count = 0;
  for (const id of new Set([...removed.keys(), ...added.keys()])) {
    const [old, now] = [removed.get(id) ?? [], added.get(id) ?? []];
    // An old and a new entry with the same identity count as one edited entry. Entries without such a counterpart were
    // added or removed.
    const edited = Math.min(old.length, now.length);
    count += Math.max(old.length, now.length) - edited;
    for (let index = 0; index < edited; index += 1) count += countChanges(old[index], now[index]);
  }
  return count;
}

/** Returns the entries of `entries` that `others` does not contain. */
function missingFrom(others: unknown[], entries: unknown[]): unknown[] {
  const known = new Set(others.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => !known.has(JSON.stringify(entry)));
}

function groupsOf(entries: unknown[]): Map<string, unknown[]> {
  const groups = new Map<string, unknown[]>();
  for (const entry of entries) {
    const id = JSON.stringify(isObject(entry) ? IDENTITY.map((name) => entry[name] ?? null) : entry);
    groups.set(id, [...(groups.get(id) ?? []), entry]);
  }
  return groups;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
