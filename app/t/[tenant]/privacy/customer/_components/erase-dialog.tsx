'use client';

import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Dialog } from '../../../_components/dialogs/dialog';
import { FormEnd, Points, Problem } from '../../../_components/forms/form-end';
import { useTRPC } from '../../../_components/trpc';
import { keptTexts, toRemove } from './texts';
import type { FoundBooking, FoundBy } from './types';

type Props = {
  foundBy: FoundBy;
  bookings: readonly FoundBooking[];
  opened: boolean;
  onClose: () => void;
  onErasing: () => void;
};

/** The dialog that states what is erased and what stays, and asks the owner to type a word. */
export function EraseDialog({ foundBy, bookings, opened, onClose, onErasing }: Props) {
  const trpc = useTRPC();
  const all = useTranslations('privacy');
  const t = useTranslations('privacy.erase');
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = useMutation(
    trpc.privacy.customer.erase.mutationOptions({
      onSuccess: () => {
        setTyped('');
        onErasing();
        return queries.invalidateQueries({ queryKey: trpc.privacy.customer.erasures.queryKey() });
      },
    }),
  );
  const close = () => {
    erase.reset();
    setTyped('');
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== word) return;
    const references = bookings.map(({ reference }) => reference);
    erase.mutate({ found_by: foundBy, references, confirmation: 'ERASE' });
  };
  const word = t('word');
  const upcoming = bookings.filter((booking) => booking.upcoming).length;
  return (
    <Dialog opened={opened} onClose={close} title={t('title')} size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{t('effect', { count: bookings.length })}</Text>
          {upcoming > 0 && <Alert color="yellow">{t('upcoming', { count: upcoming })}</Alert>}
          <Points title={t('removed')} points={toRemove(all)} />
          <Points title={t('kept')} points={keptTexts(all)} />
          <TextInput
            label={t('confirm', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            maxLength={20}
            maw={260}
            data-autofocus
          />
          <Problem error={erase.error} />
          <FormEnd verb={t('action')} danger busy={erase.isPending} disabled={typed.trim() !== word} onCancel={close} />
        </Stack>
      </form>
    </Dialog>
  );
}
