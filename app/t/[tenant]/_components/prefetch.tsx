import { dehydrate, HydrationBoundary, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { currentAccess } from '@/app/_session';
import { createCallerFactory } from '@/lib/control-center/trpc/init';
import { type AppRouter, appRouter } from '@/lib/control-center/trpc/router';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { newId } from '@/lib/platform/ids';

/** Milliseconds. After that, the page is rendered with placeholders, and the browser loads the missing data. */
const MAX_WAIT = 2_000;

const createCaller = createCallerFactory(appRouter);

export type Tools = {
  trpc: TRPCOptionsProxy<AppRouter>;
  queries: QueryClient;
  /** Calls procedures on the server without the query cache. Used by queries that combine several procedures. */
  call: ReturnType<typeof createCaller>;
};

/**
 * Renders a page with its data. `load` starts the page's queries with `prefetchQuery`. The procedures check the session
 * and the role, as they do for calls from the browser. If a query fails, the browser sends it again and shows any
 * error.
 */
export async function Prefetch({ load, children }: { load: (tools: Tools) => Promise<void>[]; children: ReactNode }) {
  const queries = new QueryClient();
  const ctx = await contextOf();
  const trpc = createTRPCOptionsProxy<AppRouter>({ router: appRouter, ctx, queryClient: queries });
  await Promise.race([
    Promise.all(load({ trpc, queries, call: createCaller(ctx) })),
    new Promise((resolve) => setTimeout(resolve, MAX_WAIT)),
  ]);
  return <HydrationBoundary state={dehydrate(queries)}>{children}</HydrationBoundary>;
}

async function contextOf() {
  const address = (await headers()).get(EDGE_HEADERS.address) ?? 'unknown';
  return { access: await currentAccess(), requestId: newId('req'), address, now: new Date() };
}
