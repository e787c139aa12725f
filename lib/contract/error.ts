import { z } from 'zod';
import { meta } from './common';

/** The body of every refusal (contract B3). */
export const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    reason: z.string().nullable(),
    fields: z.array(z.strictObject({ path: z.string(), message: z.string() })),
    doc_url: z.url(),
  }),
  meta,
});
