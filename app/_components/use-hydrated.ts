'use client';

import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/**
 * Returns whether the page is hydrated and therefore responds to the user. Returns false on the server and during
 * hydration. While the result is false, a component must render the same HTML as the server, which knows neither the
 * reader's locale nor the reader's time zone.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
