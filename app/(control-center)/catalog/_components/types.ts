import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '@/lib/control-center/trpc/router';

type Outputs = inferRouterOutputs<AppRouter>['catalog'];

export type KindName = 'service' | 'location' | 'specialist';

/** Options of the select inputs, and the languages of the business. */
export type Choices = Outputs['choices'];

/** Records as their editors receive them. */
export type ServiceRecord = Outputs['services']['get']['record'];
export type LocationRecord = Outputs['locations']['get']['record'];
export type SpecialistRecord = Outputs['specialists']['get']['record'];

/** Records as their forms edit them. The published state has its own procedure. */
export type ServiceValues = Omit<ServiceRecord, 'published'>;
export type LocationValues = Omit<LocationRecord, 'published'>;
export type SpecialistValues = Omit<SpecialistRecord, 'published'>;

/** Rows of the lists. */
export type ServiceRow = Outputs['services']['list']['records'][number];
export type LocationRow = Outputs['locations']['list']['records'][number];
export type SpecialistRow = Outputs['specialists']['list']['records'][number];

export type Weekly = LocationRecord['hours'];
export type Exceptions = LocationRecord['exceptions'];
export type TimeOff = SpecialistRecord['time_off'];
export type Workplace = SpecialistRecord['workplaces'][number];

/** Future bookings that the catalog no longer allows. */
export type Outside = Outputs['services']['outside'];
export type ImportCheck = Outputs['transfer']['check'];
export type ImportPlan = NonNullable<ImportCheck['plan']>;
export type DayPreview = Outputs['preview'];
