/** `last` is the id of the page's last record, or null if no page follows. */
export type Page<T> = { records: readonly T[]; last: string | null };

/** Returns at most `limit` records whose ids are greater than `after`. `records` must be ordered by id. */
export function pageOf<T extends { id: string }>(records: readonly T[], after: string | null, limit: number): Page<T> {
  const start = after === null ? 0 : firstAfter(records, after);
  const page = records.slice(start, start + limit);
  const more = start + limit < records.length;
  return { records: page, last: more ? (page.at(-1)?.id ?? null) : null };
}

function firstAfter(records: readonly { id: string }[], after: string): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((records[middle]?.id ?? '') <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
