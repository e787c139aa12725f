'use client';

import { Alert, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { FileChoice } from '../../../../../_components/forms/file-choice';
import { FormEnd } from '../../../../../_components/forms/form-end';
import { useTRPC } from '../../../../../_components/trpc';

/** Adds the readiness file of the partner. The server checks its signature. */
export function AddFile({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [file, setFile] = useState('');
  const add = useMutation(
    trpc.readiness.add.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: 'Readiness file added.' });
        onClose();
        return queries.invalidateQueries({ queryKey: trpc.readiness.pathKey() });
      },
    }),
  );
  const [field] = add.error?.data?.fields ?? [];
  return (
    <Stack>
      <Text size="sm">
        The partner downloads the file in TEST, on the page of its application or with the conformance suite. The
        application must have the same name in TEST and LIVE.
      </Text>
      <FileChoice accept=".jws,.txt" maxMib={1} onText={setFile} />
      <Textarea
        label="Readiness file"
        rows={5}
        value={file}
        onChange={(event) => setFile(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      {add.error && (
        <Alert color="red" role="alert">
          {field ? `The file ${field.message}.` : add.error.message}
        </Alert>
      )}
      <FormEnd
        verb="Add file"
        busy={add.isPending}
        disabled={file.trim() === ''}
        onCancel={onClose}
        onGo={() => add.mutate({ application_id: applicationId, file })}
      />
    </Stack>
  );
}
