'use client';

import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
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

/** Returns a function that states the size of a text. */
function useSizeText(): (text: string) => string {
  const { format } = useFormats().number({ minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return (text) => `${format(bytesOf(text) / 1024 / 1024)} MiB`;
}

/**
 * Returns the state of an import: the document, the result of its check, and the result of its import. Editing the
 * document discards both results.
 */
function useImport() {
  const t = useTranslations('catalog.import');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const [tooLarge, setTooLarge] = useState(false);
  const check = useMutation(trpc.catalog.transfer.check.mutationOptions());
  const refresh = () => queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
  const run = useMutation(
    trpc.catalog.transfer.import.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('imported') });
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
  const t = useTranslations('catalog.import');
  const sizeText = useSizeText();
  const { text, edit, tooLarge, check, run } = useImport();
  const plan = check.data?.plan ?? null;
  return (
    <Stack gap="md">
      <FileChoice accept="application/json,.json" maxMib={MAX_MIB} onText={edit} />
      {text.length > MAX_SHOWN ? (
        <LargeDocument text={text} tooLarge={tooLarge} onRemove={() => edit('')} />
      ) : (
        <Textarea
          label={t('label')}
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
          {t('check')}
        </Button>
      </Group>
      {(check.isPending || run.isPending) && text.length > MAX_SHOWN && (
        <Text size="sm" role="status">
          {t(run.isPending ? 'importing' : 'checking', { size: sizeText(text) })}
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
        <Alert color="yellow" role="alert" title={t('changed')}>
          {t('checkAgain')}
        </Alert>
      ) : (
        <FileProblem message={run.error?.message ?? null} />
      )}
    </Stack>
  );
}

type LargeProps = { text: string; tooLarge: boolean; onRemove: () => void };

function LargeDocument({ text, tooLarge, onRemove }: LargeProps) {
  const t = useTranslations('catalog.import');
  const size = useSizeText()(text);
  return (
    <Group gap="sm">
      <Text size="sm" c={tooLarge ? 'red' : undefined} role={tooLarge ? 'alert' : 'status'}>
        {tooLarge ? t('tooLarge', { size, max: MAX_MIB }) : t('notShown', { size })}
      </Text>
      <Button variant="default" size="xs" onClick={onRemove}>
        {t('remove')}
      </Button>
    </Group>
  );
}
