'use client';

import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '../../_components/trpc';

/** Returns what follows a change of the team: it is said, and the page is read again. */
export function useTeamChange() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return (message: string) => {
    notifications.show({ message });
    return queries.invalidateQueries({ queryKey: trpc.team.pathKey() });
  };
}
