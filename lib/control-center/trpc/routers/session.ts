import { z } from 'zod';
import { changePassword } from '@/lib/access/owners/password';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import { env } from '@/lib/platform/env';
import { accountProcedure, router } from '../init';

const me = z.strictObject({
  name: z.string(),
  email: z.string(),
  role: z.enum(['OWNER', 'SUPPORT', 'FRONT_DESK']),
  tenant_name: z.string(),
  environment: z.enum(['TEST', 'LIVE']),
  other_environment_url: z.string().nullable(),
  /** Whether a webhook endpoint may have an http URL or a loopback address. */
  allows_loopback: z.boolean(),
});

const password = z.string().min(1, 'is required').max(PASSWORD_LENGTH.max, 'is too long');

/** Procedures that return the signed-in member and change the member's password. */
export const sessionRouter = router({
  me: accountProcedure.output(me).query(({ ctx: { member } }) => ({
    name: member.name,
    email: member.email,
    role: member.role,
    tenant_name: member.tenantName,
    environment: env().ENVIRONMENT,
    other_environment_url: env().OTHER_ENVIRONMENT_URL ?? null,
    allows_loopback: env().WEBHOOKS_ALLOW_LOOPBACK === '1',
  })),

  // All members may change their password, even those who lack a second factor that the tenant requires.
  change_password: accountProcedure
    .input(z.strictObject({ current_password: password, new_password: password }))
    .output(z.strictObject({ changed: z.literal(true) }))
    .mutation(async ({ ctx: { member, address, now }, input }) => {
      await changePassword(now, { member, address, current: input.current_password, next: input.new_password });
      return { changed: true };
    }),
});
