import { z } from 'zod';
import { MAX_ISSUES } from './issues';
import type { Issue } from './kind';
import { must } from './texts';

/** A rule about a whole list, with an issue for each entry that breaks it. */
type Rule<T> = (entries: readonly (readonly [index: number, entry: T])[]) => Issue[];

/**
 * Returns the schema of a list. `rule` gets the valid entries, even if others are invalid, so that an import shows
 * every error at once. Validation ends after `MAX_ISSUES` issues.
 */
export function list<T extends z.ZodType>(entry: T, max: number, rule?: Rule<z.output<T>>) {
  const schema = z
    .array(z.unknown(), { error: must('a list') })
    .max(max, { message: `must contain at most ${max} entries`, abort: true })
    .transform((values, context) => {
      const valid: [number, z.output<T>][] = [];
      const add = ({ path, message }: Issue) =>
        context.issues.push({ code: 'custom', path: [...path], message, input: undefined });
      for (const [index, value] of values.entries()) {
        if (context.issues.length >= MAX_ISSUES) break;
        const parsed = entry.safeParse(value);
        if (parsed.success) valid.push([index, parsed.data]);
        else for (const issue of parsed.error.issues) context.issues.push(within(index, issue));
      }
      for (const issue of rule?.(valid) ?? []) add(issue);
      return valid.map(([, value]) => value);
    });
  return schema as unknown as z.ZodType<z.output<T>[], z.input<T>[]>;
}

function within(index: number, issue: z.core.$ZodIssue): z.core.$ZodRawIssue {
  return { ...issue, path: [index, ...issue.path], input: undefined } as z.core.$ZodRawIssue;
}

/** Returns a rule that refuses a second entry with the same `key`. The database has the same rule. */
export function unique<T>(key: (entry: T) => string, path: readonly string[], message: string): Rule<T> {
  return (entries) => {
    const seen = new Set<string>();
    return entries.flatMap(([index, entry]) => {
      const duplicate = seen.has(key(entry));
      seen.add(key(entry));
      return duplicate ? [{ path: [index, ...path], message }] : [];
    });
  };
}
