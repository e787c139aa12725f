import type { TenantChoice } from '@/lib/access/owners/memberships';
import type { Role, Viewer } from '../roles';

/** The signed-in user, with the business and the environment. */
export type Who = {
  name: string;
  email: string;
  role: Role;
  viewer: Viewer;
  tenantId: string;
  tenantName: string;
  /** All businesses of the user, including this one. */
  tenants: readonly TenantChoice[];
  suspended: boolean;
  environment: 'TEST' | 'LIVE';
  otherUrl: string | null;
};
