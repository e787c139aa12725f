import { expect } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { callProcedure, makePerson, openSessionOf, type Person } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

/** The password that an invited person chooses. */
export const PASSWORD = 'correct horse battery';

/** Opens a session of a person and returns functions that call procedures of the person's tenant in it. */
export async function enter(person: Person) {
  const cookie = await openSessionOf(person);
  const headers = { [TENANT_HEADER]: person.tenantId };
  const call = (type: 'query' | 'mutation') => (path: string, input?: unknown) =>
    callProcedure(path, { origin, cookie, type, input, headers });
  return { ...person, cookie, query: call('query'), mutate: call('mutation') };
}

/**
 * Creates a tenant with an owner. Returns the tenant, the owner, and a function that invites a person to the tenant.
 */
export async function makeTeam() {
  const tenant = await makeTenant({ name: 'Salon Nord' });
  const owner = await enter(await makePerson(tenant.id, 'OWNER', 'Olivia Owner'));
  const invite = async (role: Role = 'SUPPORT', email = `${newId('usr')}@new.example`) => {
    const reply = await owner.mutate('team.invite', { email, role });
    expect(reply).toMatchObject({ status: 200 });
    const { id, link } = reply.data as { id: string; link: string };
    return { id, email, link, token: link.split('/invite/')[1] ?? '' };
  };
  return { tenant, owner, invite };
}
