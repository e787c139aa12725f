import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useTRPC } from '../../_components/trpc';
import { serveCaller } from './caller-request';
import type { FoundByPhone, SearchedPhone } from './types';

/**
 * The latest search by phone number. `mark` is also stored in the browser history, in the entry of this search. The
 * phone number is kept only here in memory, never in the URL, the history, or browser storage.
 */
let latest: { mark: number; searched: SearchedPhone } | null = null;

/**
 * Searches for bookings by phone number. When the user returns to the page with Back, repeats the search. Also runs the
 * searches of the command palette.
 */
export function useCaller() {
  const trpc = useTRPC();
  // While the same search is repeated, `found` keeps the previous result.
  const [found, setFound] = useState<FoundByPhone>();
  // The result is not cached, because it links a phone number to a customer.
  const caller = useMutation(trpc.bookings.find_by_phone.mutationOptions({ gcTime: 0, onSuccess: setFound }));
  const { mutate, reset } = caller;
  const find = useCallback(
    (searched: SearchedPhone) => {
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
