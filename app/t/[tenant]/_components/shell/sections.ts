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
import type { Catalog } from '@/lib/control-center/messages/catalog';
import type { Viewer } from '../roles';

type SectionName = keyof Catalog['shell']['sections'];

/** One entry of the navigation. */
export type Section = { href: string; name: SectionName; icon: TablerIcon; roles: readonly Viewer[] };

/** The sections of the Control Center in the order of the navigation, each with the roles that give access to it. */
export const SECTIONS: readonly Section[] = [
  { href: '/', name: 'overview', icon: IconHome, roles: ['OWNER', 'SUPPORT'] },
  { href: '/applications', name: 'applications', icon: IconApps, roles: ['OWNER', 'SUPPORT'] },
  { href: '/webhooks', name: 'webhooks', icon: IconWebhook, roles: ['OWNER', 'SUPPORT'] },
  { href: '/requests', name: 'requests', icon: IconListSearch, roles: ['OWNER', 'SUPPORT'] },
  {
    href: '/bookings',
    name: 'bookings',
    icon: IconCalendarEvent,
    roles: ['OWNER', 'SUPPORT', 'FRONT_DESK', 'LIMITED_DESK'],
  },
  { href: '/statistics', name: 'statistics', icon: IconChartBar, roles: ['OWNER'] },
  { href: '/catalog', name: 'catalog', icon: IconBook2, roles: ['OWNER', 'SUPPORT', 'FRONT_DESK'] },
  { href: '/calendar-feeds', name: 'calendarFeeds', icon: IconCalendarShare, roles: ['OWNER'] },
  { href: '/team', name: 'team', icon: IconUsers, roles: ['OWNER'] },
  { href: '/audit', name: 'audit', icon: IconHistory, roles: ['OWNER'] },
  { href: '/privacy', name: 'privacy', icon: IconShieldLock, roles: ['OWNER'] },
  { href: '/environment', name: 'environment', icon: IconServer2, roles: ['OWNER', 'SUPPORT'] },
];
