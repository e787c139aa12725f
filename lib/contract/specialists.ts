import { z } from 'zod';
import { cursorParameter, limitParameter, localeParameter, recordId } from './common';

/** Query of `GET /catalog/specialists` (contract B5). With both filters one offering matches both. */
export const specialistsQuery = z.strictObject({
  service_id: recordId.optional(),
  location_id: recordId.optional(),
  locale: localeParameter.optional(),
  limit: limitParameter(50, 25),
  cursor: cursorParameter.optional(),
});

/** A published specialist as partners see them (contract B5). No contact details. */
export const specialist = z.strictObject({
  id: z.string(),
  display_name: z.string(),
  title: z.string().nullable(),
  description: z.string().nullable(),
  image_url: z.string().nullable(),
  service_ids: z.array(z.string()),
  location_ids: z.array(z.string()),
});

/** Data of `GET /catalog/specialists` (contract B5), ordered by id. */
export const specialistsData = z.strictObject({
  specialists: z.array(specialist),
  next_cursor: z.string().nullable(),
});
