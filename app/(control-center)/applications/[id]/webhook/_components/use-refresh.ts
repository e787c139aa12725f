'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../../_components/trpc';

/** Returns what has everything about webhooks read again: after a change, refused or not. */
export function useRefresh(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.webhooks.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.overview.pathKey() }),
    ]);
}
