import type { Inputs, Outputs } from '../../../_components/api-types';

/** A phone number or a name to search by. */
export type Search = Inputs['privacy']['customer']['find'];
/** The bookings with data of the customer. */
export type Found = Outputs['privacy']['customer']['find'];
export type FoundBooking = Found['bookings'][number];
/** Everything that is stored about the customer. */
export type CustomerExport = Outputs['privacy']['customer']['export'];
export type ExportedBooking = CustomerExport['bookings'][number];
export type Erasure = Outputs['privacy']['customer']['erasures']['erasures'][number];
/** How the bookings were found. */
export type FoundBy = Erasure['found_by'];
