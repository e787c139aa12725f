import { z } from 'zod';
import { cursorParameter, EXAMPLE_IDS, idOf, issuedId, limitParameter, localeParameter, nextCursor } from './common';

/**
 * Query of `GET /catalog/specialists` (contract B5). If both filters are set, the response contains only specialists
 * who offer the service at the location.
 */
export const specialistsQuery = z.strictObject({
  service_id: idOf('service', 'Only specialists who offer this service.').optional(),
  location_id: idOf('location', 'Only specialists who work at this location.').optional(),
  locale: localeParameter.optional(),
  limit: limitParameter(50, 25),
  cursor: cursorParameter.optional(),
});

/** A published specialist as partners see them (contract B5), without contact details. */
export const specialist = z.strictObject({
  id: issuedId('specialist'),
  display_name: z.string().meta({ examples: ['Alex Example'] }),
  title: z
    .string()
    .nullable()
    .meta({ description: 'In the language of the response.', examples: ['Senior stylist'] }),
  description: z
    .string()
    .nullable()
    .meta({ description: 'In the language of the response.', examples: [null] }),
  image_url: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
  service_ids: z
    .array(z.string())
    .meta({ description: 'The services that they offer.', examples: [[EXAMPLE_IDS.service]] }),
  location_ids: z
    .array(z.string())
    .meta({ description: 'The locations where they work.', examples: [[EXAMPLE_IDS.location]] }),
});

/** Data of `GET /catalog/specialists` (contract B5): a page of specialists, ordered by id. */
export const specialistsData = z.strictObject({
  specialists: z.array(specialist),
  next_cursor: nextCursor,
});
