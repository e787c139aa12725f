'use client';

import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileChoice, FileProblem } from '../../../_components/forms/file-choice';
import { pack } from '../../../_components/pack';
import { useTRPC } from '../../../_components/trpc';
import styles from '../../_components/catalog.module.css';
import { ImportIssues, ImportPlanView } from './import-result';

/** Maximum size of an imported document in MiB. The server enforces the same limit. */
const MAX_MIB = 16;
/** Maximum number of characters that the text field shows. A browser takes seconds to show more. */
const MAX_SHOWN = 500_000;

const bytesOf = (text: string) => new Blob([text]).size;
const sizeText = (text: string) => `${(bytesOf(text) / 1024 / 1024).toFixed(1)} MiB`;

/**
 * Returns the state of an import: the document, the result of its check, and the result of its import. Editing the
 * document discards both results.
 */
function useImport() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [tooLarge, setTooLarge] = useState(false);
  const check = useMutation(trpc.catalog.transfer.check.mutationOptions());
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
  const run = useMutation(
    trpc.catalog.transfer.import.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: 'Catalog imported. Partners see the changes within a second.' });
        edit('');
        return refresh();
      },
    }),
  );
  const edit = (next: string) => {
    setText(next);
    setTooLarge(bytesOf(next) > MAX_MIB * 1024 * 1024);
    check.reset();
    run.reset();
  };
  return { text, edit, tooLarge, check, run };
}

/**
 * The form that accepts a document, shows the changes that an import would make, and imports the document after a
 * confirmation.
 */
export function ImportForm() {
  const { text, edit, tooLarge, check, run } = useImport();
  const plan = check.data?.plan ?? null;
  return (
    <Stack gap="md">
      <FileChoice accept="application/json,.json" maxMib={MAX_MIB} onText={edit} />
      {text.length > MAX_SHOWN ? (
        <LargeDocument text={text} tooLarge={tooLarge} onRemove={() => edit('')} />
      ) : (
        <Textarea
          label="Catalog as JSON"
          className={styles.code}
          rows={10}
          spellCheck={false}
          value={text}
          onChange={(event) => edit(event.currentTarget.value)}
        />
      )}
      <Group>
        <Button
          variant={plan ? 'default' : 'filled'}
          disabled={text.trim() === '' || tooLarge}
          loading={check.isPending}
          onClick={async () => check.mutate({ packed: await pack(new Blob([text])) })}
        >
          Check changes
        </Button>
      </Group>
      {(check.isPending || run.isPending) && text.length > MAX_SHOWN && (
        <Text size="sm" role="status">
          {run.isPending ? 'Importing' : 'Checking'} {sizeText(text)}. A large catalog takes up to a minute. Either all
          changes are imported, or none.
        </Text>
      )}
      <FileProblem message={check.error?.message ?? null} />
      {check.data && !plan && <ImportIssues check={check.data} />}
      {plan && (
        <ImportPlanView
          plan={plan}
          pending={run.isPending}
          onImport={async () => run.mutate({ packed: await pack(new Blob([text])), basis: plan.basis })}
        />
      )}
      {run.error?.data?.code === 'version_conflict' ? (
        <Alert color="yellow" role="alert" title="The catalog has changed">
          Nothing was imported. Check the changes again.
        </Alert>
      ) : (
        <FileProblem message={run.error?.message ?? null} />
      )}
    </Stack>
  );
}

type LargeProps = { text: string; tooLarge: boolean; onRemove: () => void };

function LargeDocument({ text, tooLarge, onRemove }: LargeProps) {
  return (
    <Group gap="sm">
      <Text size="sm" c={tooLarge ? 'red' : undefined} role={tooLarge ? 'alert' : 'status'}>
        {tooLarge
          ? `The document is ${sizeText(text)}, but a catalog can be at most ${MAX_MIB} MiB. Remove the document, then import a smaller one.`
          : `The document is ${sizeText(text)}, which is too large to show here.`}
      </Text>
      <Button variant="default" size="xs" onClick={onRemove}>
        Remove
      </Button>
    </Group>
  );
}
