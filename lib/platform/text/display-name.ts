import { boundedText } from '@/lib/contract/bounded-text';
import { nameProblem, trimName } from './name';

/** Returns the schema of a display name, for example of a user, a business, or a key. The schema trims the name. */
export function displayNameSchema(max: number) {
  const message = `must have 1 to ${max} characters`;
  // Blanks around a name do not count. The number of blanks is limited, because removing them takes time.
  return boundedText(2 * max, message, message)
    .transform(trimName)
    .superRefine((name, context) => {
      const problem = nameProblem(name, max);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    });
}
