import type { Outputs } from '../../_components/api-types';

type Catalog = Outputs['catalog'];

export type KindName = 'service' | 'location' | 'specialist';

/** Options of the select inputs, and the languages of the business. */
export type Choices = Catalog['choices'];

/** Records as their editors receive them. */
export type ServiceRecord = Catalog['services']['get']['record'];
export type LocationRecord = Catalog['locations']['get']['record'];
export type SpecialistRecord = Catalog['specialists']['get']['record'];

/** Records as their forms edit them. The published state has its own procedure. */
export type ServiceValues = Omit<ServiceRecord, 'published'>;
export type LocationValues = Omit<LocationRecord, 'published'>;
export type SpecialistValues = Omit<SpecialistRecord, 'published'>;

/** Rows of the lists. */
export type ServiceRow = Catalog['services']['list']['records'][number];
export type LocationRow = Catalog['locations']['list']['records'][number];
export type SpecialistRow = Catalog['specialists']['list']['records'][number];

export type Weekly = LocationRecord['hours'];
export type Exceptions = LocationRecord['exceptions'];
export type TimeOff = SpecialistRecord['time_off'];
export type Workplace = SpecialistRecord['workplaces'][number];

/** Future bookings that the catalog no longer allows. */
export type Outside = Catalog['services']['outside'];
export type ImportCheck = Catalog['transfer']['check'];
export type ImportPlan = NonNullable<ImportCheck['plan']>;
export type DayPreview = Catalog['preview'];
