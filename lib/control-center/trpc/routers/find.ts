import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
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
    .meta({ byLocation: true })
    .input(z.strictObject({ text: boundedText(128).trim().min(1) }))
    .output(z.array(found))
    .query(({ ctx: { member }, input }) =>
      findRecords({ tenantId: member.tenantId, mayViewPartners: member.role !== 'FRONT_DESK' }, input.text),
    ),
});
