'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../../_components/trpc';

/**
 * Returns a function that reloads all webhook data and the Overview. Call it after each change, even if the change
 * failed.
 */
export function useRefresh(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.webhooks.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.overview.pathKey() }),
    ]);
}
