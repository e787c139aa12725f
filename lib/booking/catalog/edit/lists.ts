import { z } from 'zod';
import type { Issue } from './kind';
import { must } from './texts';

/** What a list says of its entries together; each comes with its place. */
type Rule<T> = (entries: readonly (readonly [index: number, entry: T])[]) => Issue[];

/**
 * Returns the schema of a list of at most `max` entries. One that is wrong does not keep the others, and what a rule
 * says of them together, from being looked at: whoever imports a catalog is told everything at once.
 */
export function list<T extends z.ZodType>(entry: T, max: number, rule?: Rule<z.output<T>>) {
  const schema = z
    .array(z.unknown(), { error: must('a list') })
    .max(max, { message: `must be at most ${max} entries`, abort: true })
    .transform((values, context) => {
      const right: [number, z.output<T>][] = [];
      const add = ({ path, message }: Issue) =>
        context.issues.push({ code: 'custom', path: [...path], message, input: undefined });
      for (const [index, value] of values.entries()) {
        const parsed = entry.safeParse(value);
        if (parsed.success) right.push([index, parsed.data]);
        else for (const issue of parsed.error.issues) context.issues.push(within(index, issue));
      }
      for (const issue of rule?.(right) ?? []) add(issue);
      return right.map(([, value]) => value);
    });
  return schema as unknown as z.ZodType<z.output<T>[], z.input<T>[]>;
}

function within(index: number, issue: z.core.$ZodIssue): z.core.$ZodRawIssue {
  return { ...issue, path: [index, ...issue.path], input: undefined } as z.core.$ZodRawIssue;
}

/** Returns the rule that no two entries have one key: the database would keep only one of them. */
export function unique<T>(key: (entry: T) => string, path: readonly string[], message: string): Rule<T> {
  return (entries) => {
    const seen = new Set<string>();
    return entries.flatMap(([index, entry]) => {
      const known = seen.has(key(entry));
      seen.add(key(entry));
      return known ? [{ path: [index, ...path], message }] : [];
    });
  };
}
