import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Team = inferRouterOutputs<AppRouter>['team']['list'];

/** Somebody who may come in. */
export type TeamMember = Team['members'][number];

/** A link that was not used yet. */
export type Invitation = Team['invitations'][number];

/** What each role is called. */
export const ROLE_NAMES = { OWNER: 'Owner', SUPPORT: 'Support' } as const;

/** What each role may do. */
export const ROLE_TEXTS = {
  OWNER: 'Sees and changes everything, this page included.',
  SUPPORT: 'Reads applications, bookings with masked contacts, and requests. Changes nothing.',
} as const;
