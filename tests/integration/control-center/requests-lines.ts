import { randomBytes } from 'node:crypto';
import { TRPCError } from '@trpc/server';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { AppError } from '@/lib/contract/errors/app-error';
import { createCallerFactory } from '@/lib/control-center/trpc/init';
import { appRouter } from '@/lib/control-center/trpc/router';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { writeLines } from '@/tests/support/request-lines';

/** The data that a procedure returned, or the error with which it failed. */
export type Answer = { data: unknown; error: AppError | null };

/** Calls a procedure as a given member. */
export type Ask = (
  path: `${'requests' | 'overview' | 'statistics' | 'webhooks'}.${string}`,
  input?: unknown,
) => Promise<Answer>;

const callerOf = createCallerFactory(appRouter);

/** Returns a function that calls procedures as a member of a tenant, or without a session if `tenantId` is null. */
export function memberOf(tenantId: string | null, role: Role = 'OWNER'): Ask {
  const person = {
    sessionId: newId('ses'),
    userId: newId('usr'),
    name: 'Olivia',
    email: 'olivia@salon.example',
    addressProven: true,
    language: null,
    hourCycle: null,
  };
  const access =
    tenantId === null
      ? null
      : {
          ...person,
          role,
          locations: null,
          tenantId,
          tenantName: 'Tenant',
          suspended: false,
          elsewhere: false,
          lacksSecondFactor: false,
          mustChangePassword: false,
          language: null,
          hourCycle: null,
          lastUsedAt: new Date(),
          confirmedAt: new Date(),
        };
  return async (path, input) => {
    const caller = callerOf({ access, requestId: newId('req'), address: '127.0.0.1', now: new Date() });
    const [section, procedure] = path.split('.') as ['requests', 'list'];
    try {
      return { data: await caller[section][procedure](input as object), error: null };
    } catch (error) {
      if (error instanceof TRPCError && error.cause instanceof AppError) return { data: null, error: error.cause };
      throw error;
    }
  };
}

/** Creates a tenant with one application. Returns functions that write and read the tenant's request log. */
export async function makeLog() {
  const tenant = await makeTenant();
  const application = await makeApplication(tenant.id, { name: 'Acme' });
  const known = { tenant_id: tenant.id, application_id: application.applicationId, key_id: application.keyId };
  const write = (...lines: Partial<LogEntry>[]) => writeLines(lines.map((line) => ({ ...known, ...line })));
  return { tenant, ...application, known, write, ask: memberOf(tenant.id) };
}

/** Returns a random hash in the format of the request log. */
export function anyHash(): string {
  return randomBytes(32).toString('hex');
}
