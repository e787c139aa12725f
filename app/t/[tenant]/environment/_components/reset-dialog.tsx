'use client';

import { Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../_components/dialogs/dialog';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';

type Props = { tenantName: string; opened: boolean; close: () => void };

/** The dialog that confirms a reset. The user must type the business name, which prevents accidental resets. */
export function ResetDialog({ tenantName, opened, close }: Props) {
  const t = useTranslations('environment.resetDialog');
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
    <Dialog opened={opened} onClose={leave} title={t('title')}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{t('effect')}</Text>
          <Problem error={field ? null : reset.error} />
          <TextInput
            data-autofocus
            label={t('confirm', { name: tenantName })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={field && t('problem', { message: field.message })}
            autoComplete="off"
            required
          />
          <FormEnd
            verb={t('action')}
            danger
            busy={reset.isPending}
            disabled={typed.trim() !== tenantName}
            onCancel={leave}
          />
        </Stack>
      </form>
    </Dialog>
  );
}

function useReset(done: () => void) {
  const t = useTranslations('environment.resetDialog');
  const trpc = useTRPC();
  const client = useQueryClient();
  const reset = useMutation(
    trpc.environment.reset_now.mutationOptions({
      onSuccess: async () => {
        notifications.show({ message: t('done') });
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
