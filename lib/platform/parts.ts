/** Prisma builds each statement synchronously, which takes up to 0.2 ms per row. */
const MAX_ROWS = 250;

/** Calls `insert` with parts of `rows`, so that the process handles other requests in between. Use a transaction. */
export async function inParts<Row>(rows: readonly Row[], insert: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += MAX_ROWS) await insert(rows.slice(start, start + MAX_ROWS));
}
