import type { PartnerScope } from '@/lib/contract/common';

/** What the pages show about a scope: a short and a long name, a description, and the routes that the scope allows. */
export type ScopeText = { short: string; title: string; allows: string; routes: readonly string[] };

/** What the pages show about each scope. The scopes are in the contract's order. */
export const SCOPE_TEXTS: Record<PartnerScope, ScopeText> = {
  'catalog.read': {
    short: 'Catalog',
    title: 'Read the catalog',
    allows: 'Published services, locations, and specialists.',
    routes: ['GET /catalog', 'GET /catalog/specialists'],
  },
  'availability.read': {
    short: 'Availability',
    title: 'Read availability',
    allows: 'The available slots of a service, and why a time cannot be booked.',
    routes: ['GET /availability', 'GET /availability/days', 'GET /availability/explain'],
  },
  'booking.create': {
    short: 'Book',
    title: 'Create bookings',
    allows: 'Book a service for a customer who consented to be contacted.',
    routes: ['POST /bookings'],
  },
  'booking.manage': {
    short: 'Manage',
    title: 'Manage bookings',
    allows: 'List, read, cancel, and reschedule the bookings made by this application, and read their events.',
    routes: [
      'GET /bookings',
      'GET /bookings/{reference}',
      'POST /bookings/{reference}/actions/{action}',
      'GET /bookings/digest',
      'GET /events',
    ],
  },
  'webhooks.manage': {
    short: 'Webhooks',
    title: 'Receive webhooks',
    allows: 'Receive events at the application’s webhook endpoint, and send test events to the endpoint.',
    routes: ['POST /webhooks/test-events'],
  },
};

/** All scopes, in the order of the contract. */
export const ALL_SCOPES = Object.keys(SCOPE_TEXTS) as PartnerScope[];

/** A named selection of scopes for a new application. */
export type ScopePreset = { name: string; description: string; scopes: readonly PartnerScope[] };

/** The presets, ordered by their number of scopes. */
export const SCOPE_PRESETS: readonly ScopePreset[] = [
  {
    name: 'Read only',
    description: 'Reads the catalog and available times. Cannot book.',
    scopes: ['catalog.read', 'availability.read'],
  },
  {
    name: 'Can book',
    description: 'Reads the catalog and available times. Creates bookings and changes its own bookings.',
    scopes: ['catalog.read', 'availability.read', 'booking.create', 'booking.manage'],
  },
  {
    name: 'Full access',
    description: 'Everything in “Can book”, plus webhooks about its bookings.',
    scopes: ALL_SCOPES,
  },
];

/** Returns the preset with exactly these scopes; undefined if there is none. */
export function presetOf(scopes: readonly PartnerScope[]): ScopePreset | undefined {
  return SCOPE_PRESETS.find(
    (preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
  );
}
