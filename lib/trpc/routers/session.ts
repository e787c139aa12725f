import { z } from 'zod';
import { env } from '../../env';
import { memberProcedure, router } from '../init';

const me = z.strictObject({
  name: z.string(),
  email: z.string(),
  role: z.enum(['OWNER', 'SUPPORT']),
  tenant_name: z.string(),
  environment: z.enum(['TEST', 'LIVE']),
  other_environment_url: z.string().nullable(),
});

/** Who is signed in, and where. */
export const sessionRouter = router({
  me: memberProcedure.output(me).query(({ ctx: { member } }) => ({
    name: member.name,
    email: member.email,
    role: member.role,
    tenant_name: member.tenantName,
    environment: env().ENVIRONMENT,
    other_environment_url: env().OTHER_ENVIRONMENT_URL ?? null,
  })),
});
