import { z } from 'zod';
import { FOUND_KINDS, findRecords } from '../../find/find';
import { everyMemberProcedure, router } from '../init';

const found = z.strictObject({
  kind: z.enum(FOUND_KINDS),
  id: z.string(),
  name: z.string(),
  application_id: z.string().nullable(),
});

export const findRouter = router({
  records: everyMemberProcedure
    .input(z.strictObject({ text: z.string().trim().min(1).max(128, 'must be at most 128 characters') }))
    .output(z.array(found))
    .query(({ ctx: { member }, input }) =>
      findRecords({ tenantId: member.tenantId, mayViewPartners: member.role !== 'FRONT_DESK' }, input.text),
    ),
});
