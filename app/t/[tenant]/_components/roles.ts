/** A member's role. */
export type Role = 'OWNER' | 'SUPPORT' | 'FRONT_DESK';

/** The name of each role. */
export const ROLE_NAMES: Record<Role, string> = { OWNER: 'Owner', SUPPORT: 'Support', FRONT_DESK: 'Front desk' };

/** Returns whether a member with this role may change bookings and view contacts. */
export function mayChangeBookings(role: Role | undefined): boolean {
  return role === 'OWNER' || role === 'FRONT_DESK';
}

/** Returns whether a member with this role may view applications, requests, and webhooks. */
export function mayViewPartners(role: Role | undefined): boolean {
  return role === 'OWNER' || role === 'SUPPORT';
}
