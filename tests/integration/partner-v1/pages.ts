type Page<T> = { items: T[]; next: string | null };

/**
 * Follows the cursors of a list. Returns the size of each page, and all items.
 * @param limits the limits of the first pages. The last limit also applies to all further pages.
 */
export async function walkPages<T>(
  readPage: (parameters: Record<string, string | number>) => Promise<Page<T>>,
  limits: readonly [number, ...number[]],
): Promise<{ sizes: number[]; items: T[] }> {
  const pages: T[][] = [];
  let cursor: string | null = null;
  do {
    const limit = limits[Math.min(pages.length, limits.length - 1)] ?? limits[0];
    const page: Page<T> = await readPage(cursor === null ? { limit } : { limit, cursor });
    pages.push(page.items);
    cursor = page.next;
  } while (cursor !== null);
  return { sizes: pages.map((page) => page.length), items: pages.flat() };
}
