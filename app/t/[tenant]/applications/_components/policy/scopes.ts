import type { PartnerScope } from '@/lib/contract/common';
/** The routes that each scope allows. The scopes are in the contract's order. */
export const SCOPE_ROUTES: Record<PartnerScope, readonly string[]> = {
  'catalog.read': ['GET /catalog', 'GET /catalog/specialists'],
  'availability.read': ['GET /availability', 'GET /availability/days', 'GET /availability/explain'],
  'booking.create': ['POST /bookings'],
  'booking.manage': [
    'GET /bookings',
    'GET /bookings/{reference}',
    'POST /bookings/{reference}/actions/{action}',
    'GET /bookings/digest',
    'GET /events',
  ],
  'webhooks.manage': ['POST /webhooks/test-events'],
};

/** All scopes, in the order of the contract. */
export const ALL_SCOPES = Object.keys(SCOPE_ROUTES) as PartnerScope[];

type ScopeKey<Scope extends string = PartnerScope> = Scope extends `${infer Object}.${infer Act}`
  ? `${Object}_${Act}`
  : never;

/** Returns the key of a scope's texts in `words.scopes`: a short and a long name, and a description. */
export function scopeKey(scope: PartnerScope): ScopeKey {
  return scope.replace('.', '_') as ScopeKey;
}

/** A named selection of scopes for a new application. `name` is the key of its texts. */
export type ScopePreset = { name: 'read' | 'book' | 'full'; scopes: readonly PartnerScope[] };

/** The presets, ordered by their number of scopes. */
export const SCOPE_PRESETS: readonly ScopePreset[] = [
  { name: 'read', scopes: ['catalog.read', 'availability.read'] },
  { name: 'book', scopes: ['catalog.read', 'availability.read', 'booking.create', 'booking.manage'] },
  { name: 'full', scopes: ALL_SCOPES },
];

/** Returns the preset with exactly these scopes; undefined if there is none. */
export function presetOf(scopes: readonly PartnerScope[]): ScopePreset | undefined {
  return SCOPE_PRESETS.find(
    (preset) => preset.scopes.length === scopes.length && preset.scopes.every((scope) => scopes.includes(scope)),
  );
}
