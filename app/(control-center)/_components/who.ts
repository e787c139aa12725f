/** Who is signed in, and where. */
export type Who = {
  name: string;
  email: string;
  role: 'OWNER' | 'SUPPORT';
  tenantName: string;
  environment: 'TEST' | 'LIVE';
  otherUrl: string | null;
};
