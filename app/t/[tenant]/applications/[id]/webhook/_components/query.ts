import type { inferParserType } from 'nuqs/server';
import { DELIVERY_FIELDS } from '@/lib/control-center/filters/fields';
import type { Inputs } from '../../../../_components/api-types';
import { filterOf } from '../../../../_components/filters/filter-of';
import { createHref } from '../../../../_components/url-href';
import { parseAsText } from '../../../../_components/url-parsers';

export const FILTER = filterOf(DELIVERY_FIELDS);

/** The URL parameters of the delivery list. `delivery` is the ID of the delivery that the drawer shows. */
export const PARSERS = { ...FILTER.parsers, cursor: parseAsText(64), delivery: parseAsText(64) };

/** The parsed values of the URL parameters. */
export type DeliveriesQuery = inferParserType<typeof PARSERS>;

/** Returns the changed query: on the first page if a filter changes, but not if a delivery is opened or closed. */
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
export function listInput(applicationId: string, query: DeliveriesQuery): Inputs['webhooks']['deliveries'] {
  return { application_id: applicationId, ...FILTER.inputOf(query), cursor: query.cursor };
}
