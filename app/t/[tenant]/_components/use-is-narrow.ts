'use client';

import { useMediaQuery } from '@mantine/hooks';

/**
 * Returns whether the screen is so narrow that a schedule shows rows or one column, and that filters are in a sheet. Style
 * sheets contain the same condition, and `hiddenFrom="sm"` and `visibleFrom="sm"` mean the same. Returns false on the server.
 */
export function useIsNarrow(): boolean {
  return useMediaQuery('(max-width: 47.99em)', false) ?? false;
}
