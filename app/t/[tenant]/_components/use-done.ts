'use client';

import { notifications } from '@mantine/notifications';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';

/**
 * Returns the end of a change: it shows a message, if there is one, and reloads the data of some routers. A mutation may
 * call it with its result, which is no message.
 */
export function useDone(...routers: readonly { pathKey: () => QueryKey }[]) {
  const queries = useQueryClient();
  return (message?: unknown): Promise<unknown> => {
    if (typeof message === 'string') notifications.show({ message });
    return Promise.all(routers.map((router) => queries.invalidateQueries({ queryKey: router.pathKey() })));
  };
}
