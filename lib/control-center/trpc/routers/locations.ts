import { z } from 'zod';
import { listLocations } from '@/lib/access/applications/list';
import { memberProcedure, router } from '../init';

const choice = z.strictObject({ id: z.string(), name: z.string(), city: z.string(), published: z.boolean() });

export const locationsRouter = router({
  list: memberProcedure.output(z.array(choice)).query(({ ctx: { member } }) => listLocations(member.tenantId)),
});
