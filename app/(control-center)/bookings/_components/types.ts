import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>['bookings'];

/** What a page of bookings is asked with. */
export type ListInput = inferRouterInputs<AppRouter>['bookings']['list'];

/** One booking of the list. */
export type BookingSummary = Outputs['list']['bookings'][number];

/** What the filters can be set to. */
export type Choices = Outputs['choices'];

/** A booking with its versions. */
export type BookingDetail = Outputs['get'];

/** A location's day. */
export type BookingDay = Outputs['day'];

/** What a booking is doing. */
export type BookingStatus = BookingSummary['status'];

/** What an owner can do with a booking. */
export type OwnerAction = BookingDetail['actions'][number];
