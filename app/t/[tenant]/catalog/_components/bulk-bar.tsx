'use client';

import { Button, Group, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../../_components/dialogs/confirm-dialog';
import { formatCount, plural } from '../../_components/format';
import { useTRPC } from '../../_components/trpc';
import { useUndo } from '../../_components/use-undo';
import { AffectedDialog, NOTHING_SEEN, useAffected } from './affected-dialog';
import type { KindTypes, RecordKind } from './kind';
import { UNOFFERED_NOTICE, UnofferedRows } from './unoffered-notice';
import type { Selection } from './use-selection';

type Props<K extends KindTypes> = {
  kind: RecordKind<K>;
  selection: Selection<K>;
  /** The number of records that match the filters, on all pages. */
  total: number;
  filtered: boolean;
};

/** The actions for the selected records of a list: publish, unpublish, and any action specific to their kind. */
export function BulkBar<K extends KindTypes>({ kind, selection, total, filtered }: Props<K>) {
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
  const verb = published ? 'Publish' : 'Unpublish';
  const what = plural(rows.length, kind.name);
  const unoffered = rows.filter((row) => kind.unoffered?.row(row));
  const isWarning = published && unoffered.length > 0;
  return (
    <Paper withBorder p="xs" bg="var(--app-surface)" component="section" aria-label={`Selected ${kind.router}`}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {what} selected{elsewhere > 0 && `, ${formatCount(elsewhere)} of them not on this page`}
        </Text>
        <Button variant="default" size="xs" onClick={() => ask(true)} disabled={rows.every((row) => row.published)}>
          Publish
        </Button>
        <Button variant="default" size="xs" onClick={() => ask(false)} disabled={rows.every((row) => !row.published)}>
          Unpublish
        </Button>
        {kind.BulkAction && <kind.BulkAction rows={rows} onDone={onDone} />}
        {total > selection.shown && (
          <Button variant="subtle" size="xs" loading={selection.busy} onClick={() => void selection.selectMatching()}>
            Select all {formatCount(total)}
            {filtered && ' that match the filters'}
          </Button>
        )}
        <Button variant="subtle" size="xs" onClick={onDone}>
          Clear selection
        </Button>
      </Group>
      {selection.problem !== null && (
        <Text size="sm" c="red" role="alert">
          {selection.problem}
        </Text>
      )}
      <ConfirmDialog
        title={`${verb} ${what}?`}
        opened={opened}
        onClose={close}
        action={isWarning ? 'Publish anyway' : `${verb} ${what}`}
        describedBy={isWarning ? UNOFFERED_NOTICE : undefined}
        danger={!published}
        busy={change.isPending}
        problem={change.error?.message ?? null}
        onConfirm={() => set(NOTHING_SEEN)}
      >
        {isWarning && <UnofferedRows rows={unoffered} path={kind.path} />}
        <Text size="sm">
          {published
            ? 'Partners see the published records within a second.'
            : 'Partners stop seeing these records within a second. Existing bookings are kept.'}
        </Text>
      </ConfirmDialog>
      <AffectedDialog state={affected} busy={change.isPending} problem={change.error?.message} onConfirm={set} />
    </Paper>
  );
}

function useBulkPublish<K extends KindTypes>(kind: RecordKind<K>, close: () => void, onDone: () => void) {
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
        showDone(`${plural(result.changed, kind.name)} ${done}.`, result.undo);
        return queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
      },
    }),
  );
  return { change, affected };
}
