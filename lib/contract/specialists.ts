import { z } from 'zod';
import {
  answerTokenField,
  cursorParameter,
  idOf,
  issuedId,
  issuedIds,
  limitParameter,
  localeParameter,
  minTokenParameter,
  nextCursor,
} from './common';
import { line, lines, shaped } from './text';

/**
 * Query of `GET /catalog/specialists` (contract B5). If both filters are set, specialists must offer the service at the
 * location.
 */
export const specialistsQuery = z.strictObject({
  service_id: idOf('service', 'Only specialists who offer this service.').optional(),
  location_id: idOf('location', 'Only specialists who work at this location.').optional(),
  locale: localeParameter.optional(),
  limit: limitParameter(50, 25),
  cursor: cursorParameter.optional(),
  min_token: minTokenParameter.optional(),
});

/** A published specialist as partners receive it (contract B5), without contact details. */
export const specialist = z.strictObject({
  id: issuedId('specialist'),
  display_name: z
    .string()
    .meta({ ...line(200), description: 'Name for customers, not localized.', examples: ['Alex Example'] }),
  title: z
    .string()
    .meta(line(200))
    .nullable()
    .meta({ description: 'Title, in the response language.', examples: ['Senior stylist'] }),
  description: z
    .string()
    .meta(lines(20_000))
    .nullable()
    .meta({ description: 'Description, possibly with several lines, in the response language.', examples: [null] }),
  image_url: z
    .string()
    .meta(shaped('^https?://[^ ]+$', 2_048))
    .nullable()
    .meta({ description: 'URL of a picture, http or https.', examples: [null] }),
  service_ids: issuedIds('service', 'The services that the specialist provides at your locations.'),
  location_ids: issuedIds('location', 'Your locations where the specialist works.'),
});

/** Data of `GET /catalog/specialists` (contract B5): a page of specialists, ordered by id. */
export const specialistsData = z.strictObject({
  specialists: z.array(specialist).max(50),
  next_cursor: nextCursor,
  token: answerTokenField,
});
