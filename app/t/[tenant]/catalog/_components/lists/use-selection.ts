import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { KindTypes, RecordsPage } from '../kind';

/** The most records of one change, and of a kind in a catalog. */
const MAX_SELECTED = 1_000;

/** The selected records of a list, also those on other pages and outside of the filters. */
export type Selection<K extends KindTypes> = {
  rows: readonly K['row'][];
  /** How many of them the list shows at the moment. */
  shown: number;
  has: (id: string) => boolean;
  set: (rows: readonly K['row'][], on: boolean) => void;
  clear: () => void;
  /** Selects every record that matches the filters, on all pages. */
  selectMatching: () => Promise<void>;
  busy: boolean;
  problem: string | null;
};

/** `records` are those of the shown page, and `load` returns a page of the filtered list. */
export function useSelection<K extends KindTypes>(
  records: readonly K['row'][] | undefined,
  load: (page: number) => Promise<RecordsPage<K['row']>>,
): Selection<K> {
  const t = useTranslations('catalog.list');
  const [chosen, setChosen] = useState<ReadonlyMap<string, K['row']>>(new Map());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // The page may be newer than the selection.
  const fresh = new Map((records ?? []).map((row) => [row.id, row]));
  const rows = [...chosen.values()].map((row) => fresh.get(row.id) ?? row);
  const set = (changed: readonly K['row'][], on: boolean) => {
    const next = new Map(chosen);
    for (const row of changed) {
      if (on && next.size < MAX_SELECTED) next.set(row.id, row);
      else if (!on) next.delete(row.id);
    }
    setChosen(next);
  };
  const selectMatching = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const found: K['row'][] = [];
      for (let page = 1; ; page += 1) {
        const { records: part, total } = await load(page);
        found.push(...part);
        if (part.length === 0 || found.length >= Math.min(total, MAX_SELECTED)) break;
      }
      set(found, true);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : t('notLoaded'));
    }
    setBusy(false);
  };
  return {
    rows,
    shown: rows.filter(({ id }) => fresh.has(id)).length,
    has: (id) => chosen.has(id),
    set,
    clear: () => setChosen(new Map()),
    selectMatching,
    busy,
    problem,
  };
}
