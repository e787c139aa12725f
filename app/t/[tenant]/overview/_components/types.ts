import type { Outputs } from '../../_components/api-types';

export type Traffic = Outputs['overview']['traffic'];
export type Attention = Outputs['overview']['attention'];
/** A location, with the number of its future bookings that the catalog no longer allows. */
export type OutsideAtLocation = Outputs['overview']['outside'][number];
/** Today's bookings by location. */
export type Today = Outputs['overview']['today'];
export type WebhookHealth = Outputs['overview']['webhooks'];
/**
 * The numbers of a new business's catalog records, applications, and keys, and whether it has had requests. They show
 * which first steps the business has completed.
 */
export type Progress = Outputs['overview']['progress'];
