'use client';

import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';

/** Returns a function that calls `onDone`, shows a message about a change, and reloads the team's data. */
export function useTeamChange(onDone?: () => void) {
  const trpc = useTRPC();
  const done = useDone(trpc.team);
  return (message: string) => {
    onDone?.();
    return done(message);
  };
}
