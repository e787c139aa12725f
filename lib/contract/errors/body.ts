import { z } from 'zod';
import { boundedText } from '../bounded-text';
import { meta } from '../common';
import { line, shaped, WORD } from '../text';

const invalidField = z.strictObject({
  path: z.string().meta({
    ...shaped('^[A-Za-z0-9_.*-]+$', 200, 1),
    description:
      'Path of the field in the request. The name of an unknown field is shown as `*` if the name could contain customer data.',
    examples: ['customer.phone'],
  }),
  message: z.string().meta({
    ...line(300),
    description: 'The expected value. Never repeats the sent value.',
    examples: ['must start with + and a country code, and have 7 to 15 digits'],
  }),
});

export type InvalidField = z.infer<typeof invalidField>;

/** The `error` object of a refusal (contract B3). */
export const errorDetail = z.strictObject({
  code: z.string().meta({
    ...WORD,
    description: 'Stable machine-readable code. Base your error handling on this code.',
    examples: ['invalid_request'],
  }),
  message: z.string().meta({ ...line(300), description: 'Human-readable text.', examples: ['One field is invalid.'] }),
  reason: z
    .string()
    .meta(WORD)
    .nullable()
    .meta({
      description: 'A stable word that narrows the code. New reasons may be added: treat an unknown reason like null.',
      examples: [null],
    }),
  fields: z
    .array(invalidField)
    .max(20)
    .meta({ description: 'Empty unless the code is `invalid_request`, or `not_found` for an unknown id.' }),
  doc_url: boundedText(2_048).check(z.url()).meta({ description: 'Documentation of this error.' }),
});

/** The body of every refusal (contract B3). */
export const errorBody = z.strictObject({ error: errorDetail, meta });
