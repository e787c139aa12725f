/** Depth of the deepest input with a lot to spare; what is nested deeper no schema accepts. */
const MAX_DEPTH = 20;

/** Returns where in an input a text with U+0000 stands, as `name.0`; null when there is none. */
export function pathOfNul(value: unknown, path = '', depth = 0): string | null {
  if (typeof value === 'string') return value.includes('\0') ? path : null;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null;
  for (const [name, part] of Object.entries(value)) {
    const found = pathOfNul(part, path === '' ? name : `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}
