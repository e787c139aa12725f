'use client';

import { Alert, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { FileChoice } from '../../../../../_components/forms/file-choice';
import { FormEnd } from '../../../../../_components/forms/form-end';
import { useTRPC } from '../../../../../_components/trpc';

/** Adds the readiness file of the partner. The server checks its signature. */
export function AddFile({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const t = useTranslations('applications.readiness');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [file, setFile] = useState('');
  const add = useMutation(
    trpc.readiness.add.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('fileAdded') });
        onClose();
        return queries.invalidateQueries({ queryKey: trpc.readiness.pathKey() });
      },
    }),
  );
  const [field] = add.error?.data?.fields ?? [];
  return (
    <Stack>
      <Text size="sm">{t('addHelp')}</Text>
      <FileChoice accept=".jws,.txt" maxMib={1} onText={setFile} />
      <Textarea
        label={t('file')}
        rows={5}
        value={file}
        onChange={(event) => setFile(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      {add.error && (
        <Alert color="red" role="alert">
          {field ? t('fileProblem', { problem: field.message }) : add.error.message}
        </Alert>
      )}
      <FormEnd
        verb={t('addFile')}
        busy={add.isPending}
        disabled={file.trim() === ''}
        onCancel={onClose}
        onGo={() => add.mutate({ application_id: applicationId, file })}
      />
    </Stack>
  );
}
