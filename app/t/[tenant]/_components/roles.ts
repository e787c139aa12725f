/** A member's role. */
export type Role = 'OWNER' | 'SUPPORT' | 'FRONT_DESK';

/** Whose pages are shown: a role, or a front desk that is limited to locations, which sees only bookings. */
export type Viewer = Role | 'LIMITED_DESK';

/** Returns as whom a member views the pages. `locations` is null if the member is not limited to locations. */
export function viewerOf({ role, locations }: { role: Role; locations: readonly string[] | null }): Viewer {
  return locations === null ? role : 'LIMITED_DESK';
}

/** Returns whether a member with this role may change bookings and view contacts. */
export function mayChangeBookings(role: Viewer | undefined): boolean {
  return role === 'OWNER' || role === 'FRONT_DESK' || role === 'LIMITED_DESK';
}

/** Returns whether a member with this role may view applications, requests, and webhooks. */
export function mayViewPartners(role: Viewer | undefined): boolean {
  return role === 'OWNER' || role === 'SUPPORT';
}
