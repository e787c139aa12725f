import { z } from 'zod';
import { boundedText } from './bounded-text';
import { issuedId, issuedIds, SCOPES } from './common';
import { LANGUAGE_TAG, line, MAX_INTEGER, MAX_RECORDS, shaped } from './text';
import { instant } from './times';

const languageTag = boundedText(LANGUAGE_TAG.maxLength).meta({ ...LANGUAGE_TAG, examples: ['en'] });

/** Data of `GET /me` (contract B16): whose key it is, and what it may do now. */
export const meData = z.strictObject({
  application: z.strictObject({
    id: issuedId('application'),
    name: z
      .string()
      .meta({ ...line(200), description: 'Its name in the Control Center.', examples: ['Travel portal'] }),
  }),
  business: z.strictObject({
    name: z.string().meta({ ...line(200), description: 'Name of the business.', examples: ['Studio Mitte'] }),
    languages: z
      .array(languageTag)
      .max(MAX_RECORDS)
      .meta({ description: 'The languages of its texts.', examples: [['en', 'de']] }),
    default_language: languageTag.meta({ description: 'The language of texts without a translation.' }),
  }),
  environment: z.enum(['TEST', 'LIVE']).meta({ description: 'The environment of this server.', examples: ['TEST'] }),
  api_version: z.literal('v1').meta({ description: 'The version of the contract.' }),
  scopes: z
    .array(boundedText(40).meta(shaped('^[a-z.]+$', 40, 1)))
    .max(10)
    .meta({
      description: 'What you may do. More scopes may be added.',
      examples: [[...SCOPES]],
    }),
  all_locations: z
    .boolean()
    .meta({ description: 'Whether you may use every location, also one that is added later.', examples: [false] }),
  location_ids: issuedIds('location', 'The published locations that you may use.'),
  quota: z.strictObject({
    requests: z
      .int()
      .min(1)
      .max(MAX_INTEGER)
      .meta({ description: 'Requests of all your keys in the window.', examples: [600] }),
    seconds: z
      .int()
      .min(1)
      .max(60)
      .meta({ description: 'Length of the window.', examples: [60] }),
  }),
  agents: z
    .strictObject({
      confirmation: z.enum(['required', 'not_required']).meta({
        description: 'Whether an agent must ask a person before each write.',
        examples: ['required'],
      }),
    })
    .meta({
      description: 'What the business expects of agents, programs with a language model. The MCP server follows it.',
    }),
  key: z.strictObject({
    name: z.string().meta({ ...line(200), description: 'Name of this key.', examples: ['Production'] }),
    last_four: boundedText(4).meta({
      ...shaped('^[A-Za-z0-9]+$', 4, 4),
      description: 'Its last four characters.',
      examples: ['x7Qd'],
    }),
    expires_at: instant.nullable().meta({
      description: 'When it expires, or when its overlap ends after a rotation. Null: never.',
      examples: ['2027-09-01T08:00:00.000Z'],
    }),
  }),
});

export type Me = z.infer<typeof meData>;
