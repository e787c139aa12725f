import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>['webhooks'];

/** The endpoint of an application. */
export type Endpoint = NonNullable<Outputs['get']>;

/** A type of event that an endpoint can have delivered. */
export type EventType = Endpoint['event_types'][number];

/** One delivery of the list. */
export type DeliveryRow = Outputs['deliveries']['deliveries'][number];

/** What a delivery is doing. */
export type DeliveryState = DeliveryRow['state'];

/** What a page of deliveries is asked with. */
export type DeliveriesInput = inferRouterInputs<AppRouter>['webhooks']['deliveries'];

/** A delivery with its payload and its attempts. */
export type DeliveryDetail = Outputs['delivery'];

/** One attempt. */
export type Attempt = DeliveryDetail['log'][number];

/** How far the newest replay is. */
export type Replay = NonNullable<Outputs['replay_progress']>;
