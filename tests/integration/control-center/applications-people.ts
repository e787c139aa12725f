import { TENANT_HEADER } from '@/app/_components/tenant-path';
import type { PolicyInput } from '@/lib/access/applications/applications';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { callProcedure, makePerson, openSessionOf, type TrpcReply } from '@/tests/support/control-center';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

/** Functions that call tRPC procedures in a member's session. */
export type Member = {
  query: (path: string, input?: unknown) => Promise<TrpcReply>;
  mutate: (path: string, input?: unknown) => Promise<TrpcReply>;
};

/** Creates a member of a tenant and opens a session. */
export async function makeMember(tenantId: string, role: Role = 'OWNER', name?: string): Promise<Member> {
  const person = await makePerson(tenantId, role, name);
  const cookie = await openSessionOf(person);
  const session = { origin, cookie, headers: { [TENANT_HEADER]: tenantId } };
  return {
    query: (path, input) => callProcedure(path, { ...session, type: 'query', input }),
    mutate: (path, input) => callProcedure(path, { ...session, type: 'mutation', input }),
  };
}

/** Creates a tenant with one application and an owner. */
export async function makeControlCenter(policy: Partial<PolicyInput> = {}) {
  const tenant = await makeTenant();
  const application = await makeApplication(tenant.id, policy);
  const known = { tenant_id: tenant.id, application_id: application.applicationId, key_id: application.keyId };
  return { tenant, ...application, known, owner: await makeMember(tenant.id) };
}

/** A policy in the format that the procedures take as input. */
export const POLICY = {
  name: 'Partner',
  scopes: ['catalog.read'],
  all_locations: true,
  location_ids: [],
  origins: [],
  networks: [],
  quota: 600,
  agents_ask: true,
};
