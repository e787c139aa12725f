import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>['overview'];

/** How the traffic went. */
export type Traffic = Outputs['traffic'];

/** What wants attention. */
export type Attention = Outputs['attention'];

/** How the endpoints do. */
export type WebhookHealth = Outputs['webhooks'];

/** How far the Control Center is set up. */
export type Progress = Outputs['progress'];
