import type { Outputs } from '../../_components/api-types';

export type Traffic = Outputs['overview']['traffic'];
export type Attention = Outputs['overview']['attention'];
/** A location, with the number of its future bookings that the catalog no longer allows. */
export type OutsideAtLocation = Outputs['overview']['outside'][number];
/** Today's bookings by location. */
export type Today = Outputs['overview']['today'];
export type WebhookHealth = Outputs['overview']['webhooks'];
/** The refused and failed requests by application, code, and reason. */
export type Errors = Outputs['overview']['errors'];
/** The published services that cannot be booked in the next 14 days, with the reasons. */
export type Bookability = Outputs['overview']['bookable'];
/** They show which first steps the business has completed. */
export type Progress = Outputs['overview']['progress'];
