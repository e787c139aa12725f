import {
  IconApps,
  IconBook2,
  IconCalendarEvent,
  IconCalendarShare,
  IconChartBar,
  IconHistory,
  IconHome,
  IconListSearch,
  IconServer2,
  IconShieldLock,
  IconUsers,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Viewer } from '../roles';

/** One entry of the navigation. */
export type Section = { href: string; label: string; icon: TablerIcon; roles: readonly Viewer[] };

/** The sections of the Control Center in the order of the navigation, each with the roles that give access to it. */
export const SECTIONS: readonly Section[] = [
  { href: '/', label: 'Overview', icon: IconHome, roles: ['OWNER', 'SUPPORT'] },
  { href: '/applications', label: 'Applications', icon: IconApps, roles: ['OWNER', 'SUPPORT'] },
  { href: '/webhooks', label: 'Webhooks', icon: IconWebhook, roles: ['OWNER', 'SUPPORT'] },
  { href: '/requests', label: 'Requests', icon: IconListSearch, roles: ['OWNER', 'SUPPORT'] },
  {
    href: '/bookings',
    label: 'Bookings',
    icon: IconCalendarEvent,
    roles: ['OWNER', 'SUPPORT', 'FRONT_DESK', 'LIMITED_DESK'],
  },
  { href: '/statistics', label: 'Statistics', icon: IconChartBar, roles: ['OWNER'] },
  { href: '/catalog', label: 'Catalog', icon: IconBook2, roles: ['OWNER', 'SUPPORT', 'FRONT_DESK'] },
  { href: '/calendar-feeds', label: 'Calendar feeds', icon: IconCalendarShare, roles: ['OWNER'] },
  { href: '/team', label: 'Team', icon: IconUsers, roles: ['OWNER'] },
  { href: '/audit', label: 'Audit', icon: IconHistory, roles: ['OWNER'] },
  { href: '/privacy', label: 'Privacy', icon: IconShieldLock, roles: ['OWNER'] },
  { href: '/environment', label: 'Environment', icon: IconServer2, roles: ['OWNER', 'SUPPORT'] },
];
