import { canonical, changedFields } from '../edit/difference';
import type { AnyDoc, Entry, Stored } from '../edit/kind';

/** A record that the document omits is unpublished, never deleted. */
export const ACTIONS = ['created', 'updated', 'unpublished'] as const;
export type Action = (typeof ACTIONS)[number];

export type Step<Doc> = {
  action: Action;
  id: string;
  before: Doc | undefined;
  after: Doc;
  fields: string[];
  /** The imported document omits the record. */
  absent: boolean;
};

/** Returns a step for each change, and the number of unchanged records. */
export function planOf<Doc extends AnyDoc>(
  stored: readonly Stored<Doc>[],
  imported: readonly Entry<Doc>[],
): { steps: Step<Doc>[]; unchanged: number } {
  const current = new Map(stored.map(({ id, doc }) => [id, doc]));
  const named = new Set(imported.map(({ id }) => id));
  const steps = imported.flatMap(({ id, doc: after }): Step<Doc>[] => {
    const before = current.get(id);
    if (!before) return [{ action: 'created', id, before, after, fields: Object.keys(after), absent: false }];
    if (canonical(before) === canonical(after)) return [];
    const action = before.published && !after.published ? 'unpublished' : 'updated';
    return [{ action, id, before, after, fields: changedFields(before, after), absent: false }];
  });
  const absent = stored.flatMap(({ id, doc: before }): Step<Doc>[] => {
    if (named.has(id) || !before.published) return [];
    const after = { ...before, published: false };
    return [{ action: 'unpublished', id, before, after, fields: ['published'], absent: true }];
  });
  return { steps: [...steps, ...absent], unchanged: stored.length + created(steps) - steps.length - absent.length };
}

function created(steps: readonly { action: Action }[]): number {
  return steps.filter(({ action }) => action === 'created').length;
}
