import type { Role } from './roles';

/** The signed-in user, with the business and the environment. */
export type Who = {
  name: string;
  email: string;
  role: Role;
  tenantName: string;
  /** Whether the operator has suspended the business. */
  suspended: boolean;
  environment: 'TEST' | 'LIVE';
  otherUrl: string | null;
};
