'use client';

import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTRPC } from '../../_components/trpc';

type Props = { tenantName: string; opened: boolean; close: () => void };

/** Asks before a reset: the name of the business is typed, so that nobody does it by a slip. */
export function ResetDialog({ tenantName, opened, close }: Props) {
  const [typed, setTyped] = useState('');
  const { reset, leave } = useReset(() => {
    setTyped('');
    close();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    reset.mutate({ tenant_name: typed });
  };
  const field = reset.error?.data?.fields?.[0];
  return (
    <Modal opened={opened} onClose={leave} title="Reset the sandbox now?">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">
            Every booking, event and delivery of TEST is removed and the catalog is as it was at first. This cannot be
            undone. Keys and webhook endpoints go on working.
          </Text>
          {reset.error && !field && (
            <Alert color="red" role="alert">
              {reset.error.message}
            </Alert>
          )}
          <TextInput
            data-autofocus
            label={`Type ${tenantName} to go on`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={field && `It ${field.message}.`}
            autoComplete="off"
            required
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={leave}>
              Keep everything
            </Button>
            <Button type="submit" color="red.9" loading={reset.isPending} disabled={typed.trim() !== tenantName}>
              Reset now
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useReset(done: () => void) {
  const trpc = useTRPC();
  const client = useQueryClient();
  const reset = useMutation(
    trpc.environment.reset_now.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: 'The sandbox is as it was at first.' });
        done();
        await client.invalidateQueries();
      },
    }),
  );
  const leave = () => {
    reset.reset();
    done();
  };
  return { reset, leave };
}
