import type { Viewer } from '../../roles';
import { SECTIONS } from '../../shell/sections';

/** A page that the command palette can open. */
export type PalettePage = { href: string; label: string };

type Part = PalettePage & { roles: readonly Viewer[] };

const UNLIMITED = ['OWNER', 'SUPPORT', 'FRONT_DESK'] as const;
const EVERYONE = [...UNLIMITED, 'LIMITED_DESK'] as const;

/** Pages that the palette can open although the navigation does not list them. */
const PARTS: readonly Part[] = [
  { href: '/bookings/new', label: 'New booking', roles: ['OWNER', 'FRONT_DESK', 'LIMITED_DESK'] },
  { href: '/bookings/import', label: 'Import bookings', roles: ['OWNER'] },
  { href: '/bookings/day', label: 'Day schedule', roles: EVERYONE },
  { href: '/bookings/week', label: 'Week schedule', roles: EVERYONE },
  { href: '/catalog/locations', label: 'Locations', roles: UNLIMITED },
  { href: '/catalog/specialists', label: 'Specialists', roles: UNLIMITED },
  { href: '/catalog/blocks', label: 'Blocked time', roles: UNLIMITED },
  { href: '/catalog/preview', label: 'Catalog preview', roles: UNLIMITED },
  { href: '/catalog/transfer', label: 'Import and export', roles: ['OWNER', 'SUPPORT'] },
  { href: '/applications/new', label: 'New application', roles: ['OWNER'] },
  { href: '/catalog/services/new', label: 'New service', roles: ['OWNER'] },
  { href: '/catalog/locations/new', label: 'New location', roles: ['OWNER'] },
  { href: '/catalog/specialists/new', label: 'New specialist', roles: ['OWNER'] },
  { href: '/audit/sign-ins', label: 'Sign-ins', roles: ['OWNER'] },
  { href: '/audit/refused', label: 'Refused calls', roles: ['OWNER'] },
  { href: '/privacy/customer', label: 'Data of a customer', roles: ['OWNER'] },
  { href: '/account', label: 'Your account', roles: EVERYONE },
  { href: '/docs', label: 'API documentation', roles: ['OWNER', 'SUPPORT'] },
];

/** Returns the pages that a member with this role or limit can open and whose name contains each word of `text`. */
export function findPages(role: Viewer, text: string): PalettePage[] {
  const words = text.toLowerCase().split(/\s+/);
  return [...SECTIONS, ...PARTS].filter(
    ({ label, roles }) => roles.includes(role) && words.every((word) => label.toLowerCase().includes(word)),
  );
}
