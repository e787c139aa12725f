/** The name of each role. */
export const ROLE_NAMES = { OWNER: 'Owner', SUPPORT: 'Support' } as const;

/** The permissions of each role. */
export const ROLE_TEXTS = {
  OWNER: 'Can view and change everything, including the team.',
  SUPPORT: 'Can view applications, requests, and bookings with masked contact details. Can’t change anything.',
} as const;
