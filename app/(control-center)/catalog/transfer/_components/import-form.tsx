'use client';

import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTRPC } from '../../../_components/trpc';
import styles from '../../_components/catalog.module.css';
import { ImportIssues, ImportPlanView } from './import-result';

/** Maximum size of an imported document in bytes. The server enforces the same limit. */
const MAX_BYTES = 2 * 1024 * 1024;

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
    setTooLarge(new Blob([next]).size > MAX_BYTES);
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
      <FileChoice onText={edit} />
      <Textarea
        label="Catalog as JSON"
        className={styles.code}
        rows={10}
        spellCheck={false}
        value={text}
        error={tooLarge ? 'The catalog can be at most 2 MiB.' : undefined}
        onChange={(event) => edit(event.currentTarget.value)}
      />
      <Group>
        <Button
          variant={plan ? 'default' : 'filled'}
          disabled={text.trim() === '' || tooLarge}
          loading={check.isPending}
          onClick={() => check.mutate({ text })}
        >
          Check changes
        </Button>
      </Group>
      <Problem message={check.error?.message ?? null} />
      {check.data && !plan && <ImportIssues check={check.data} />}
      {plan && (
        <ImportPlanView plan={plan} pending={run.isPending} onImport={() => run.mutate({ text, basis: plan.basis })} />
      )}
      {run.error?.data?.code === 'version_conflict' ? (
        <Alert color="yellow" role="alert" title="The catalog has changed">
          Nothing was imported. Check the changes again.
        </Alert>
      ) : (
        <Problem message={run.error?.message ?? null} />
      )}
    </Stack>
  );
}

function FileChoice({ onText }: { onText: (text: string) => void }) {
  return (
    <Group gap="sm">
      <FileButton accept="application/json,.json" onChange={(file) => void file?.text().then(onText)}>
        {(props) => (
          <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} {...props}>
            Select file
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        or paste it here
      </Text>
    </Group>
  );
}

function Problem({ message }: { message: string | null }) {
  if (message === null) return null;
  return (
    <Alert color="red" role="alert">
      {message}
    </Alert>
  );
}
