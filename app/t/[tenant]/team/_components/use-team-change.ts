'use client';

import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../_components/trpc';

/** Returns a function that shows a message about a change and reloads the team's data. */
export function useTeamChange() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (message: string) => {
    notifications.show({ message });
    return queries.invalidateQueries({ queryKey: trpc.team.pathKey() });
  };
}
