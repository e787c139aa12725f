import { z } from 'zod';
import { meta } from '../common';

const invalidField = z.strictObject({
  path: z.string().meta({
    description: 'Where in the request; the name of an unknown field that could hold data is `*`.',
    examples: ['customer.phone'],
  }),
  message: z.string().meta({
    description: 'What is expected there, never the value that was sent.',
    examples: ['must start with + and a country code'],
  }),
});

/** What a refusal says (contract B3). */
export const errorDetail = z.strictObject({
  code: z.string().meta({ description: 'What to act on.', examples: ['invalid_request'] }),
  message: z.string().meta({ description: 'Fixed words for a person.', examples: ['One field is invalid.'] }),
  reason: z
    .string()
    .nullable()
    .meta({
      description:
        'A stable word that narrows the code. More words may come: treat one that you do not know like null.',
      examples: [null],
    }),
  fields: z.array(invalidField).meta({ description: 'Empty except with `invalid_request`.' }),
  doc_url: z.url().meta({ description: 'What this error means and what to do.' }),
});

/** The body of every refusal (contract B3). */
export const errorBody = z.strictObject({ error: errorDetail, meta });
