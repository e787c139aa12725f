import { z } from 'zod';
import { nameProblem, trimName } from './name';

/** Returns the schema of a name that a person typed for people to read, trimmed: of themself, a business, a key. */
export function shownName(max: number) {
  return z
    .string(`must have 1 to ${max} characters`)
    .transform(trimName)
    .superRefine((name, context) => {
      const message = nameProblem(name, max);
      if (message !== null) context.addIssue({ code: 'custom', message });
    });
}
