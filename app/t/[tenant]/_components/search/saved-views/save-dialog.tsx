'use client';

import { Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../dialogs/dialog';
import { FormEnd, Problem } from '../../forms/form-end';
import { useTRPC } from '../../trpc';

type Props = {
  page: 'requests' | 'bookings';
  /** The query string with the current filters. */
  search: string;
  opened: boolean;
  onClose: () => void;
  onClosed: () => void;
};

/** A dialog that saves the current filters of a page under a name. */
export function SaveDialog({ page, search, opened, onClose, onClosed }: Props) {
  const t = useTranslations('shell.views');
  const tCommon = useTranslations('common');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const save = useMutation(
    trpc.views.create.mutationOptions({
      onSuccess: () => {
        notifications.show({ message: t('saved') });
        onClose();
        return queries.invalidateQueries({ queryKey: trpc.views.pathKey() });
      },
    }),
  );
  const field = save.error?.data?.fields?.find(({ path }) => path === 'name');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ page, name, query: Object.fromEntries(new URLSearchParams(search)) });
  };
  const forget = () => {
    setName('');
    save.reset();
    onClosed();
  };
  return (
    <Dialog opened={opened} onClose={onClose} title={t('save')} returnFocus={false} onExitTransitionEnd={forget}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t('name')}
            description={t('private')}
            required
            maxLength={60}
            autoComplete="off"
            data-autofocus
            value={name}
            error={field && tCommon('nameProblem', { message: field.message })}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Problem error={field ? null : save.error} />
          <FormEnd verb={t('saveView')} busy={save.isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
