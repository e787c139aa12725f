const COUNT = new Intl.NumberFormat('en');

/** Formats a whole number with thousands separators. */
export function formatCount(value: number): string {
  return COUNT.format(value);
}

/** Returns a count with its noun: `1 key`, `3 keys`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
