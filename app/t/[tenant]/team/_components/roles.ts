import type { Role } from '../../_components/roles';

/** The permissions of each role. */
export const ROLE_TEXTS: Record<Role, string> = {
  OWNER: 'Can view and change everything, including the team.',
  FRONT_DESK:
    'Can view bookings and contact details, and cancel, reschedule, and complete bookings. Can view the catalog. Cannot view applications, requests, or webhooks. Can be limited to locations.',
  SUPPORT: 'Can view applications, requests, and bookings with masked contact details. Cannot change anything.',
};
