import type { Outputs } from '../../_components/api-types';

type Catalog = Outputs['catalog'];

export type KindName = 'service' | 'location' | 'specialist';

/** The options of the select inputs in the catalog's forms, and the languages of the business. */
export type Choices = Catalog['choices'];

/** The record types as the server returns them. */
export type ServiceRecord = Catalog['services']['get']['record'];
export type LocationRecord = Catalog['locations']['get']['record'];
export type SpecialistRecord = Catalog['specialists']['get']['record'];

/** The record types as the forms edit them. They lack the published state, which a separate procedure changes. */
export type ServiceValues = Omit<ServiceRecord, 'published'>;
export type LocationValues = Omit<LocationRecord, 'published'>;
export type SpecialistValues = Omit<SpecialistRecord, 'published'>;

/** The row types of the lists. */
export type ServiceRow = Catalog['services']['list']['records'][number];
export type LocationRow = Catalog['locations']['list']['records'][number];
export type SpecialistRow = Catalog['specialists']['list']['records'][number];

export type Weekly = LocationRecord['hours'];
export type Exceptions = LocationRecord['exceptions'];
export type TimeOff = SpecialistRecord['time_off'];
export type Workplace = SpecialistRecord['workplaces'][number];

/** Future bookings that the catalog no longer allows. */
export type Outside = Catalog['services']['outside'];
/** Future bookings that the catalog would no longer allow after a change. */
export type Affected = Catalog['services']['unpublishing'];
export type ImportCheck = Catalog['transfer']['check'];
export type ImportPlan = NonNullable<ImportCheck['plan']>;
export type DayPreview = Catalog['preview'];
