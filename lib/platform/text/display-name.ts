import { boundedText } from '@/lib/contract/bounded-text';
import { nameProblem, trimName } from './name';

/** Returns the schema of a display name, which trims it. */
export function displayNameSchema(max: number) {
  const message = `must have 1 to ${max} characters`;
  // Removing the blanks around a name takes time, so their number is limited.
  return boundedText(2 * max, message, message)
    .transform(trimName)
    .superRefine((name, context) => {
      const problem = nameProblem(name, max);
      if (problem !== null) context.addIssue({ code: 'custom', message: problem });
    });
}
