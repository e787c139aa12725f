'use client';

import { Button, Group, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { useTRPC } from '../../_components/trpc';
import { useUndo } from '../../_components/use-undo';
import { AffectedDialog, NOTHING_SEEN, useAffected } from './affected-dialog';
import type { KindTypes, RecordKind } from './kind';
import { UnofferedRows } from './unoffered-notice';
import type { Selection } from './use-selection';
import { UNOFFERED_NOTICE } from './words';

type Props<K extends KindTypes> = {
  kind: RecordKind<K>;
  selection: Selection<K>;
  /** The number of records that match the filters, on all pages. */
  total: number;
  filtered: boolean;
};

/** The actions for the selected records of a list: publish, unpublish, and any action specific to their kind. */
export function BulkBar<K extends KindTypes>({ kind, selection, total, filtered }: Props<K>) {
  const t = useTranslations('catalog');
  const { rows, clear: onDone } = selection;
  const elsewhere = rows.length - selection.shown;
  const [opened, { open, close }] = useDisclosure();
  const [published, setPublished] = useState(true);
  const { change, affected } = useBulkPublish(kind, close, onDone);
  const ids = rows.map(({ id }) => id);
  const set = (confirmed: string) => change.mutate({ kind: kind.name, ids, published, confirmed });
  const ask = (next: boolean) => {
    setPublished(next);
    change.reset();
    open();
  };
  const count = rows.length;
  const unoffered = rows.filter((row) => kind.unoffered?.row(row));
  const isWarning = published && unoffered.length > 0;
  return (
    <Paper withBorder p="xs" bg="var(--app-surface)" component="section" aria-label={t(`kinds.${kind.name}.selection`)}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {t(`kinds.${kind.name}.selected`, { count, elsewhere })}
        </Text>
        <Button variant="default" size="xs" onClick={() => ask(true)} disabled={rows.every((row) => row.published)}>
          {t('bulk.publish')}
        </Button>
        <Button variant="default" size="xs" onClick={() => ask(false)} disabled={rows.every((row) => !row.published)}>
          {t('bulk.unpublish')}
        </Button>
        {kind.BulkAction && <kind.BulkAction rows={rows} onDone={onDone} />}
        {total > selection.shown && (
          <Button variant="subtle" size="xs" loading={selection.busy} onClick={() => void selection.selectMatching()}>
            {t(filtered ? 'bulk.selectMatching' : 'bulk.selectAll', { count: total })}
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={onDone}>
          {t('bulk.clear')}
        </Button>
      </Group>
      {selection.problem !== null && (
        <Text size="sm" c="red" role="alert">
          {selection.problem}
        </Text>
      )}
      <ConfirmDialog
        title={t(`kinds.${kind.name}.${published ? 'askPublish' : 'askUnpublish'}`, { count })}
        opened={opened}
        onClose={close}
        action={
          isWarning
            ? t('bulk.publishAnyway')
            : t(`kinds.${kind.name}.${published ? 'publishMany' : 'unpublishMany'}`, { count })
        }
        describedBy={isWarning ? UNOFFERED_NOTICE : undefined}
        danger={!published}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => set(NOTHING_SEEN)}
      >
        {isWarning && <UnofferedRows rows={unoffered} path={kind.path} />}
        <Text size="sm">{t(published ? 'bulk.publishEffect' : 'bulk.unpublishEffect')}</Text>
      </ConfirmDialog>
      <AffectedDialog state={affected} busy={change.isPending} problem={change.error?.message} onConfirm={set} />
    </Paper>
  );
}

function useBulkPublish<K extends KindTypes>(kind: RecordKind<K>, close: () => void, onDone: () => void) {
  const t = useTranslations('catalog.kinds');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const affected = useAffected();
  const showDone = useUndo();
  const change = useMutation(
    trpc.catalog.bulk.set_published.mutationOptions({
      onSuccess: (result, { published }) => {
        close();
        if ('affected' in result) return affected.show(result.affected);
        affected.close();
        onDone();
        const done = published ? 'published' : 'unpublished';
        showDone(t(`${kind.name}.${done}`, { count: result.changed }), result.undo);
        return queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
      },
    }),
  );
  return { change, affected };
}
