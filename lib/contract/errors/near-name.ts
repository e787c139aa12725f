import { z } from 'zod';

/** Characters. Longer names are not compared. */
const MAX_NAME = 40;
/** Of a name or a part of one. Shorter names are near to too many others. */
const MIN_PART = 5;

/** Returns the names that the object at `path` of a schema has; none if there is no object. */
export function namesAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let at: unknown = inner(schema);
  for (const part of path) {
    if (at instanceof z.ZodObject) at = inner(at.shape[String(part)]);
    else if (at instanceof z.ZodArray) at = inner(at.element);
    else return [];
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function inner(schema: unknown): unknown {
  let at = schema;
  for (;;) {
    if (at instanceof z.ZodOptional || at instanceof z.ZodNullable || at instanceof z.ZodDefault) at = at.unwrap();
    else if (at instanceof z.ZodPipe) at = at.in;
    else return at;
  }
}

/**
 * Returns the name that a client probably meant by an unknown one: in another spelling, such as camelCase, with one or
 * two wrong letters, or shortened. Null if no name, or more than one, is near. Only names of the contract are returned.
 */
export function nearName(unknown: string, known: readonly string[]): string | null {
  if (unknown.length > MAX_NAME) return null;
  const sent = plain(unknown);
  const same = known.filter((name) => plain(name) === sent);
  if (same.length > 0) return same[0] ?? null;
  // A plural, such as `service_ids`, asks for something else.
  if (known.some((name) => sent === `${plain(name)}s`)) return null;
  const near = known.filter((name) => isTypo(sent, plain(name)));
  const found = near.length > 0 ? near : known.filter((name) => isPart(sent, plain(name)));
  return found.length === 1 ? (found[0] ?? null) : null;
}

function plain(name: string): string {
  return name.replaceAll(/[_\-\s.]/g, '').toLowerCase();
}

function isPart(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= MIN_PART && (long.startsWith(short) || long.endsWith(short));
}

function isTypo(a: string, b: string): boolean {
  const most = Math.min(a.length, b.length) < MIN_PART ? 0 : Math.min(a.length, b.length) < 2 * MIN_PART ? 1 : 2;
  return isNear(a, b, most);
}

/** Returns whether two words differ by at most `most` inserted, deleted, replaced, or swapped characters. */
export function isNear(a: string, b: string, most: number): boolean {
  if (Math.abs(a.length - b.length) > most) return false;
  let [twoBack, before]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (twoBack?.[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min((before?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (before?.[j - 1] ?? 0) + cost, swapped));
    }
    if (Math.min(...row) > most) return false;
    [twoBack, before] = [before ?? [], row];
  }
  return (before?.[b.length] ?? Infinity) <= most;
}
