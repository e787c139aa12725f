'use client';

import { useMemo } from 'react';
import { addressWith, textOf, useAddress, wordOf } from '../../../../_components/use-address';
import type { DeliveriesInput, DeliveryState, EventType } from './types';
import { EVENT_TYPES, STATES } from './words';

/** Every type that a delivery can have: tests too. */
export const DELIVERED_TYPES = [...EVENT_TYPES, 'webhook.test'] as const;

/** What the list of deliveries shows; all of it is in the address. */
export type DeliveriesQuery = {
  state: DeliveryState | null;
  type: EventType | 'webhook.test' | null;
  reference: string | null;
  cursor: string | null;
  /** The delivery that is open in the drawer. */
  delivery: string | null;
};

/** No filter set. */
export const NO_FILTERS = { state: null, type: null, reference: null } satisfies Partial<DeliveriesQuery>;

function readQuery(params: URLSearchParams): DeliveriesQuery {
  return {
    state: wordOf(params, 'state', STATES),
    type: wordOf(params, 'type', DELIVERED_TYPES),
    reference: textOf(params, 'reference')?.slice(0, 64) ?? null,
    cursor: textOf(params, 'cursor')?.slice(0, 64) ?? null,
    delivery: textOf(params, 'delivery')?.slice(0, 64) ?? null,
  };
}

function changeQuery(query: DeliveriesQuery, patch: Partial<DeliveriesQuery>): DeliveriesQuery {
  // Opening a delivery leaves the list where it is; every filter begins on the first page again.
  const page = 'delivery' in patch ? query.cursor : null;
  return { ...query, cursor: page, ...patch };
}

/** Returns the address of an application's webhook. */
export function webhookHref(applicationId: string): string {
  return `/applications/${encodeURIComponent(applicationId)}/webhook`;
}

/** Returns the address that shows one delivery. */
export function deliveryHref(applicationId: string, delivery: string): string {
  return addressWith(webhookHref(applicationId), { delivery });
}

/** What the list shows, from the address, and how to show something else. */
export function useDeliveries(applicationId: string) {
  const address = useMemo(
    () => ({
      read: readQuery,
      hrefOf: (query: DeliveriesQuery) => addressWith(webhookHref(applicationId), query),
    }),
    [applicationId],
  );
  return useAddress(address, changeQuery);
}

/** Returns what the server is asked for. */
export function listInput(applicationId: string, { delivery: _, ...query }: DeliveriesQuery): DeliveriesInput {
  return { application_id: applicationId, ...query };
}

/** Tells whether anything narrows the list. */
export function isFiltered({ state, type, reference }: DeliveriesQuery): boolean {
  return state !== null || type !== null || reference !== null;
}
