'use client';

import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { NOTHING_SEEN, useAffected } from '../../catalog/_components/records/affected-dialog';
import type { Inputs, Outputs } from '../api-types';
import { useTRPC, useTRPCClient } from '../trpc';
import { showUndo } from '../undo';
import { useDone } from '../use-done';

export type BlockRecord = Outputs['blocks']['list']['blocks'][number];
export type BlockInput = Inputs['blocks']['create']['block'];
export type Subject = Inputs['blocks']['create']['subject'];

type Refusal = { message: string; data?: { code?: string; fields?: { path: string; message: string }[] } | null };
type Result = Outputs['blocks']['create'];
type Saving = { block: BlockRecord | null; subject: Subject; input: BlockInput; confirmed: string };

const docOf = ({ from, to, repeat, reason }: BlockRecord): BlockInput => ({
  from,
  to,
  repeat: repeat && { ...repeat, weekdays: [...repeat.weekdays] },
  reason,
});

/**
 * Returns the changes of a block. After each, a message offers Undo, which works as long as nobody has changed the block
 * since. `affected` shows the bookings inside a block before it is saved.
 */
export function useBlockChanges(onDone: () => void) {
  const t = useTranslations('common.blocks');
  const trpc = useTRPC();
  const { blocks } = useTRPCClient();
  const affected = useAffected();
  const refresh = useDone(trpc.blocks, trpc.bookings);
  const say = (message: string, undo: () => Promise<unknown>) =>
    showUndo(message, async () => {
      const problem = await undo().then(
        (result) => (isUnsaved(result) ? t('inside') : null),
        () => t('changed'),
      );
      await refresh();
      return problem;
    });
  const save = useMutation<Result, Refusal, Saving>({
    mutationFn: ({ block, subject, input, confirmed }) =>
      block
        ? blocks.update.mutate({ id: block.id, expected_version: block.version, block: input, confirmed })
        : blocks.create.mutate({ subject, block: input, confirmed }),
    onSuccess: async (result, { block }) => {
      if ('affected' in result) return affected.show(result.affected);
      affected.close();
      onDone();
      const { id, version: expected_version } = result;
      if (block)
        say(t('saved'), () =>
          blocks.update.mutate({ id, expected_version, block: docOf(block), confirmed: NOTHING_SEEN }),
        );
      else say(t('blocked'), () => blocks.delete.mutate({ id, expected_version }));
      await refresh();
    },
    onError: affected.close,
  });
  const remove = useMutation({
    mutationFn: ({ id, version }: BlockRecord) => blocks.delete.mutate({ id, expected_version: version }),
    onSuccess: async (_, block) => {
      onDone();
      const subject = { specialist_id: block.specialist_id, location_id: block.location_id };
      say(t('deleted'), () => blocks.create.mutate({ subject, block: docOf(block), confirmed: NOTHING_SEEN }));
      await refresh();
    },
  });
  return { save, remove, affected };
}

const isUnsaved = (result: unknown) => typeof result === 'object' && result !== null && 'affected' in result;
