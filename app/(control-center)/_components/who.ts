/** The signed-in user, with the business and the environment. */
export type Who = {
  name: string;
  email: string;
  role: 'OWNER' | 'SUPPORT';
  tenantName: string;
  environment: 'TEST' | 'LIVE';
  otherUrl: string | null;
};
