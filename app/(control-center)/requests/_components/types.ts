import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>['requests'];

/** What a page of requests is asked with. */
export type ListInput = inferRouterInputs<AppRouter>['requests']['list'];

/** One line of the table. */
export type RequestRow = Outputs['list']['rows'][number];

/** Requests over time. */
export type Histogram = Outputs['histogram'];

/** What the filters can be set to. */
export type Choices = Outputs['choices'];

/** A request with everything that is known of it. */
export type RequestDetail = Outputs['get'];
