import { randomBytes } from 'node:crypto';
import type { Role } from '@/lib/generated/prisma/client';
import { newId } from '@/lib/ids';
import type { RequestLine } from '@/lib/request-log/line';
import { insertLines } from '@/lib/request-log/store';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { callProcedure, makePerson, signInOverHttp, type TrpcReply } from '@/tests/support/workspace';

const { origin } = sharedServer();

/** A procedure as one person calls it. */
export type Ask = (path: string, input?: unknown) => Promise<TrpcReply>;

/** Makes a member of a tenant and returns how they ask. */
export async function memberOf(tenantId: string, role: Role = 'OWNER'): Promise<Ask> {
  const person = await makePerson(tenantId, role);
  const cookie = await signInOverHttp(origin, person.email, person.password);
  return (path, input) => callProcedure(path, { origin, cookie, type: 'query', input });
}

/** Makes a tenant with one application, and a way to write and to read its request log. */
export async function makeLog() {
  const tenant = await makeTenant();
  const application = await makeApplication(tenant.id, { name: 'Acme' });
  const known = { tenant_id: tenant.id, application_id: application.applicationId, key_id: application.keyId };
  const write = (...lines: Partial<RequestLine>[]) => writeLines(lines.map((line) => ({ ...known, ...line })));
  return { tenant, ...application, known, write, ask: await memberOf(tenant.id) };
}

/** Writes lines, a minute old unless they say otherwise, and returns them. */
export async function writeLines(parts: Partial<RequestLine>[]): Promise<RequestLine[]> {
  const lines = parts.map((part) => ({ ...blank(), ...part }));
  await insertLines(lines);
  return lines;
}

/** Returns the moment so many seconds ago, as the log has it. */
export function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

/** Returns a hash as the log has it, of no key in particular. */
export function anyHash(): string {
  return randomBytes(32).toString('hex');
}

function blank(): RequestLine {
  return {
    request_id: newId('req'),
    at: ago(60),
    tenant_id: null,
    application_id: null,
    key_id: null,
    method: 'GET',
    route: '/api/partner/v1/catalog',
    path: '/api/partner/v1/catalog',
    status: 200,
    code: null,
    reason: null,
    invalid_fields: [],
    duration_ms: 2.5,
    address: null,
    origin: null,
    user_agent: 'partner/1.0',
    idempotency_key_hash: null,
    replayed_from: null,
    booking_reference: null,
    external_reference: null,
  };
}
