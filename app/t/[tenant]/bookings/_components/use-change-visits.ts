import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useTRPC, useTRPCClient } from '../../_components/trpc';
import { showUndo } from '../../_components/undo';

/** The most bookings of one call, as the server has it. */
const PART = 50;

type Visit = { reference: string; version: number };

/** Completes visits in parts, and shows how many, with a button that undoes it. `onDone` is called if all were completed. */
export function useChangeVisits(onDone: () => void) {
  const t = useTranslations('bookings.visits');
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ message: string } | null>(null);
  const [refused, setRefused] = useState(0);
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.bookings.pathKey() });

  const change = async (action: 'complete' | 'reopen', visits: readonly Visit[]) => {
    const result = { changed: [] as Visit[], refused: 0, problem: null as { message: string } | null };
    for (let from = 0; from < visits.length && result.problem === null; from += PART)
      await client.bookings.visits.change
        .mutate({
          action,
          bookings: visits
            .slice(from, from + PART)
            .map(({ reference, version }) => ({ reference, expected_version: version })),
        })
        .then(
          (part) => {
            result.changed.push(...part.changed);
            result.refused += part.refused.length;
          },
          (error: { message: string }) => {
            result.problem = error;
          },
        );
    await refresh();
    return result;
  };

  const undo = async (visits: readonly Visit[]) => {
    const result = await change('reopen', visits);
    if (result.problem !== null) return result.problem.message;
    return result.refused > 0 ? t('notUndone', { count: result.refused }) : null;
  };

  const run = async (visits: readonly Visit[]) => {
    setBusy(true);
    setProblem(null);
    const result = await change('complete', visits);
    setBusy(false);
    setProblem(result.problem);
    setRefused(result.refused);
    const { changed } = result;
    const message = t('done', { count: changed.length });
    if (changed.length > 0) showUndo(message, () => undo(changed));
    else if (result.problem === null) notifications.show({ message });
    if (result.problem === null && result.refused === 0) onDone();
  };
  return { run, busy, problem, refused };
}
