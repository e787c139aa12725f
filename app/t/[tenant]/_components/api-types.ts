import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

/** The inputs of all tRPC procedures, for example `Inputs['audit']['list']`. */
export type Inputs = inferRouterInputs<AppRouter>;

/** The outputs of all tRPC procedures, for example `Outputs['audit']['list']`. */
export type Outputs = inferRouterOutputs<AppRouter>;

// Applications
export type ApplicationRow = Outputs['applications']['list']['applications'][number];
export type ApplicationDetail = Outputs['applications']['get'];
export type ApplicationChange = Outputs['applications']['changes'][number];
/** The effect that a changed policy would have had on the requests from the last 24 hours. */
export type PolicyPreview = Outputs['applications']['preview'];
export type LocationChoice = Outputs['locations']['list'][number];
export type KeyRow = Outputs['keys']['list']['keys'][number];
export type IssuedKey = Outputs['keys']['issue'];

// Webhooks
export type Endpoint = NonNullable<Outputs['webhooks']['get']>;
/** An endpoint in the list of all endpoints. */
export type EndpointSummary = Outputs['webhooks']['endpoints']['endpoints'][number];
/** One bar of the attempt chart: the attempts in one hour or on one day. */
export type AttemptBar = NonNullable<Outputs['webhooks']['attempts']['bars']>[number];
export type EventType = Endpoint['event_types'][number];
export type DeliveryRow = Outputs['webhooks']['deliveries']['deliveries'][number];
export type DeliveryState = DeliveryRow['state'];
/** A delivery with its payload and attempts. */
export type DeliveryDetail = Outputs['webhooks']['delivery'];
export type Attempt = DeliveryDetail['log'][number];
/** The progress of the newest replay. */
export type Replay = NonNullable<Outputs['webhooks']['replay_progress']>;
export type DisabledEndpoints = Outputs['webhooks']['disabled'];

// Administration
export type AuditChange = Outputs['audit']['list']['lines'][number];
/** One session of the signed-in user. */
export type OwnSession = Outputs['session']['list'][number];
export type SecondFactors = Outputs['second_factor']['get'];
export type SignInLine = Outputs['audit']['sign_ins']['lines'][number];
export type RefusedCallLine = Outputs['audit']['refused_calls']['lines'][number];
export type TeamMember = Outputs['team']['list']['members'][number];
export type Invitation = Outputs['team']['list']['invitations'][number];
export type Retention = Outputs['privacy']['get'];
export type CalendarFeed = Outputs['calendar_feeds']['list'][number];
export type IssuedFeed = Outputs['calendar_feeds']['create'];
