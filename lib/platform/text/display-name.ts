import { z } from 'zod';
import { nameProblem, trimName } from './name';

/** Returns the schema of a display name, for example of a user, a business, or a key. The schema trims the name. */
export function displayNameSchema(max: number) {
  return z
    .string(`must have 1 to ${max} characters`)
    .transform(trimName)
    .superRefine((name, context) => {
      const message = nameProblem(name, max);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
}
