import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>['catalog'];

/** What the forms let one choose from. */
export type Choices = Outputs['choices'];
/** A service, a location and a specialist as their editors get them. */
export type ServiceRecord = Outputs['services']['get']['record'];
export type LocationRecord = Outputs['locations']['get']['record'];
export type SpecialistRecord = Outputs['specialists']['get']['record'];

/** Hours of every week, dated exceptions, time off. */
export type Weekly = LocationRecord['hours'];
export type Exceptions = LocationRecord['exceptions'];
export type TimeOff = SpecialistRecord['time_off'];
export type Workplace = SpecialistRecord['workplaces'][number];

/** Bookings that the catalog would not offer now. */
export type Outside = Outputs['services']['outside'];
/** One line of each list. */
export type ServiceRow = Outputs['services']['list']['records'][number];
export type LocationRow = Outputs['locations']['list']['records'][number];
export type SpecialistRow = Outputs['specialists']['list']['records'][number];
/** What an import would do. */
export type ImportCheck = inferRouterOutputs<AppRouter>['catalog']['transfer']['check'];
export type ImportPlan = NonNullable<ImportCheck['plan']>;
/** The slots of a day. */
export type DayPreview = Outputs['preview'];
