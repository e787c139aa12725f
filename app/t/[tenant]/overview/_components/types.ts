import type { Outputs } from '../../_components/api-types';

export type Traffic = Outputs['overview']['traffic'];
export type Attention = Outputs['overview']['attention'];
/** The future bookings of a location that are outside the catalog. */
export type OutsideAtLocation = Outputs['overview']['outside'][number];
/** Today's bookings by location. */
export type Today = Outputs['overview']['today'];
export type WebhookHealth = Outputs['overview']['webhooks'];
/**
 * What shows which first steps a new business has completed: the numbers of its catalog records, applications, and
 * keys, and whether it has had requests.
 */
export type Progress = Outputs['overview']['progress'];
