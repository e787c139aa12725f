'use client';

import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../../_components/trpc';

/** Returns a function that shows a message about a change and reloads the second factors and the sessions. */
export function useFactorChange() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (message: string) => {
    notifications.show({ message });
    // The change has also ended the other sessions.
    void queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
    return queries.invalidateQueries({ queryKey: trpc.second_factor.pathKey() });
  };
}
