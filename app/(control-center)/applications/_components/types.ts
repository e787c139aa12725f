import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>;

/** One application of the list. */
export type ApplicationRow = Outputs['applications']['list']['applications'][number];

/** An application with its policy. */
export type ApplicationDetail = Outputs['applications']['get'];

/** What a policy would do to the traffic of the last day. */
export type PolicyPreview = Outputs['applications']['preview'];

/** One change that somebody made. */
export type ApplicationChange = Outputs['applications']['changes'][number];

/** A location to choose. */
export type LocationChoice = Outputs['locations']['list'][number];

/** One key of the list. */
export type KeyRow = Outputs['keys']['list']['keys'][number];

/** A key that was just made. */
export type IssuedKey = Outputs['keys']['issue'];
