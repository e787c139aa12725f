import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTRPCClient } from '../../../_components/trpc';
import type { FoundBookings, Searched } from '../types';
import { serveCaller } from './caller-request';

/**
 * The latest search by phone number or name. `mark` is also stored in the browser history, in the entry of this search.
 * The number or name is kept only here in memory, never in the URL, the history, or browser storage.
 */
let latest: { mark: number; searched: Searched } | null = null;

/**
 * Searches for bookings by phone number or name. When the user returns to the page with Back, repeats the search. Also runs the
 * searches of the command palette.
 */
export function useCaller() {
  const client = useTRPCClient();
  // While the same search is repeated, `found` keeps the previous result.
  const [found, setFound] = useState<FoundBookings>();
  // The result is not cached, because it links a contact to bookings.
  const caller = useMutation({
    mutationFn: async ({ name, ...phone }: Searched): Promise<FoundBookings> => {
      if (name === undefined) return client.bookings.find_by_phone.mutate(phone);
      return { ...(await client.bookings.find_by_name.mutate({ name })), understood: [name], countries: [] };
    },
    gcTime: 0,
    onSuccess: setFound,
  });
  const { mutate, reset } = caller;
  const find = useCallback(
    (searched: Searched) => {
      latest = { mark: Date.now(), searched };
      setFound(undefined);
      window.history.replaceState({ ...window.history.state, caller: latest.mark }, '');
      mutate(searched);
    },
    [mutate],
  );
  useEffect(() => {
    if (latest && markOfEntry() === latest.mark) mutate(latest.searched);
    return serveCaller(find);
  }, [mutate, find]);
  return {
    caller,
    found,
    find,
    /** Repeats the search. Resolves when `found` contains the new result or `caller` contains the error. */
    reload: async () => {
      if (caller.variables) await caller.mutateAsync(caller.variables).catch(() => {});
    },
    clear: () => {
      latest = null;
      setFound(undefined);
      reset();
    },
  };
}

function markOfEntry(): unknown {
  const state: unknown = window.history.state;
  return typeof state === 'object' && state !== null && 'caller' in state ? state.caller : null;
}
