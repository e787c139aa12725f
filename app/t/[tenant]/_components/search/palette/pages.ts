import type { Translator } from '@/app/_components/language';
import type { Catalog } from '@/lib/control-center/messages/catalog';
import type { Viewer } from '../../roles';
import { SECTIONS } from '../../shell/sections';

/** A page that the command palette can open. */
export type PalettePage = { href: string; label: string };

type Part = { href: string; name: keyof Catalog['shell']['pages']; roles: readonly Viewer[] };

const UNLIMITED = ['OWNER', 'SUPPORT', 'FRONT_DESK'] as const;
const EVERYONE = [...UNLIMITED, 'LIMITED_DESK'] as const;

/** Pages that the palette can open although the navigation does not list them. */
const PARTS: readonly Part[] = [
  { href: '/bookings/new', name: 'newBooking', roles: ['OWNER', 'FRONT_DESK', 'LIMITED_DESK'] },
  { href: '/bookings/import', name: 'importBookings', roles: ['OWNER'] },
  { href: '/bookings/day', name: 'day', roles: EVERYONE },
  { href: '/bookings/week', name: 'week', roles: EVERYONE },
  { href: '/catalog/locations', name: 'locations', roles: UNLIMITED },
  { href: '/catalog/specialists', name: 'specialists', roles: UNLIMITED },
  { href: '/catalog/blocks', name: 'blocks', roles: UNLIMITED },
  { href: '/catalog/preview', name: 'preview', roles: UNLIMITED },
  { href: '/catalog/transfer', name: 'transfer', roles: ['OWNER', 'SUPPORT'] },
  { href: '/applications/new', name: 'newApplication', roles: ['OWNER'] },
  { href: '/catalog/services/new', name: 'newService', roles: ['OWNER'] },
  { href: '/catalog/locations/new', name: 'newLocation', roles: ['OWNER'] },
  { href: '/catalog/specialists/new', name: 'newSpecialist', roles: ['OWNER'] },
  { href: '/audit/sign-ins', name: 'signIns', roles: ['OWNER'] },
  { href: '/audit/refused', name: 'refused', roles: ['OWNER'] },
  { href: '/privacy/customer', name: 'customer', roles: ['OWNER'] },
  { href: '/account', name: 'account', roles: EVERYONE },
  { href: '/docs', name: 'docs', roles: ['OWNER', 'SUPPORT'] },
];

/** Returns the pages that a member with this role or limit can open and whose name contains each word of `text`. */
export function findPages(t: Translator<'shell'>, role: Viewer, text: string): PalettePage[] {
  const words = text.toLowerCase().split(/\s+/);
  const named = [
    ...SECTIONS.map(({ href, name, roles }) => ({ href, label: t(`sections.${name}`), roles })),
    ...PARTS.map(({ href, name, roles }) => ({ href, label: t(`pages.${name}`), roles })),
  ];
  return named.filter(
    ({ label, roles }) => roles.includes(role) && words.every((word) => label.toLowerCase().includes(word)),
  );
}
