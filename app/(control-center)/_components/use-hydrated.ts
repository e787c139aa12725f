'use client';

import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/**
 * Returns whether the page responds to the user. It is false on the server and while the browser takes over the HTML of
 * the server. Until then, a component must render what the server rendered, which knows neither the reader's locale nor
 * the time zone.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
