import type { Scope } from '@/lib/contract/common';

/** What a scope is called, what it allows, and on which routes. */
export type ScopeText = { short: string; title: string; allows: string; routes: readonly string[] };

/** The five scopes in words, in the order of the contract. */
export const SCOPE_TEXTS: Record<Scope, ScopeText> = {
  'catalog.read': {
    short: 'Catalog',
    title: 'Read the catalog',
    allows: 'Published services, locations and specialists.',
    routes: ['GET /catalog', 'GET /catalog/specialists'],
  },
  'availability.read': {
    short: 'Free times',
    title: 'Read free times',
    allows: 'The free slots of a service.',
    routes: ['GET /availability'],
  },
  'booking.create': {
    short: 'Book',
    title: 'Make bookings',
    allows: 'Books one service for a guest who agreed to be contacted.',
    routes: ['POST /bookings'],
  },
  'booking.manage': {
    short: 'Manage',
    title: 'Manage its own bookings',
    allows: 'Reads, cancels and reschedules bookings that this application made, never those of others.',
    routes: ['GET /bookings/{reference}', 'POST /bookings/{reference}/actions/{action}'],
  },
  'webhooks.manage': {
    short: 'Webhooks',
    title: 'Receive webhooks',
    allows: 'Opens no route. It lets you set up a webhook endpoint for this application here.',
    routes: [],
  },
};

/** Every scope, in the order of the contract. */
export const ALL_SCOPES = Object.keys(SCOPE_TEXTS) as Scope[];
