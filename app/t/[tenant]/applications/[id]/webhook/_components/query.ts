import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs } from '../../../../_components/api-types';
import { createHref } from '../../../../_components/url-href';
import { parseAsText } from '../../../../_components/url-parsers';
import { EVENT_TYPES, STATES } from './words';

/** Every event type that a delivery can have, including test events. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'webhook.test'] as const;

/** The URL parameters of the delivery list. `delivery` is the ID of the delivery that the drawer shows. */
export const PARSERS = {
  state: parseAsStringLiteral(STATES),
  type: parseAsStringLiteral(DELIVERED_TYPES),
  reference: parseAsText(64),
  cursor: parseAsText(64),
  delivery: parseAsText(64),
};

/** The parsed values of the URL parameters. */
export type DeliveriesQuery = inferParserType<typeof PARSERS>;

/** The new values of URL parameters that clear all filters. */
export const NO_FILTERS = { state: null, type: null, reference: null } satisfies Partial<DeliveriesQuery>;

/**
 * Returns the query after a change. If a filter changes, the list starts over on the first page. If a delivery is
 * opened or closed, the list stays on the same page.
 */
export function changeQuery(query: DeliveriesQuery, patch: Partial<DeliveriesQuery>): DeliveriesQuery {
  const cursor = 'delivery' in patch ? query.cursor : null;
  return { ...query, cursor, ...patch };
}

const createDeliveriesHref = createHref(PARSERS);

/** Returns the URL of the page that shows an application's webhook. */
export function webhookHref(applicationId: string): string {
  return `/applications/${encodeURIComponent(applicationId)}/webhook`;
}

/** Returns the URL that shows one delivery. */
export function deliveryHref(applicationId: string, delivery: string): string {
  return createDeliveriesHref(webhookHref(applicationId), { delivery });
}

/** Returns the input of the `webhooks.deliveries` procedure. */
export function listInput(
  applicationId: string,
  { delivery: _, ...query }: DeliveriesQuery,
): Inputs['webhooks']['deliveries'] {
  return { application_id: applicationId, ...query };
}

/** Returns whether any filter is set. */
export function isFiltered({ state, type, reference }: DeliveriesQuery): boolean {
  return state !== null || type !== null || reference !== null;
}
