import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

/** How long what is kept. */
export type Retention = inferRouterOutputs<AppRouter>['privacy']['get'];
