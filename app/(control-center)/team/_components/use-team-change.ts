'use client';

import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../_components/trpc';

/** Returns a function that reports a change of the team and reloads the page's data. */
export function useTeamChange() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (message: string) => {
    notifications.show({ message });
    return queries.invalidateQueries({ queryKey: trpc.team.pathKey() });
  };
}
