'use client';

import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../../_components/dialogs/dialog';
import { plural } from '../../../_components/format';
import { FormEnd, Points, Problem } from '../../../_components/forms/form-end';
import { useTRPC } from '../../../_components/trpc';
import { KEPT, TO_REMOVE } from './texts';
import type { FoundBooking, FoundBy } from './types';

const WORD = 'ERASE';

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
    if (typed.trim() !== WORD) return;
    const references = bookings.map(({ reference }) => reference);
    erase.mutate({ found_by: foundBy, references, confirmation: WORD });
  };
  const upcoming = bookings.filter((booking) => booking.upcoming).length;
  return (
    <Dialog opened={opened} onClose={close} title="Erase the data of this customer?" size="lg">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">
            The data is removed from {plural(bookings.length, 'booking')} for good. This can’t be undone.
          </Text>
          {upcoming > 0 && (
            <Alert color="yellow">
              {plural(upcoming, 'appointment')} {upcoming === 1 ? 'is' : 'are'} still to come and will not be canceled.
              Nobody can then see who comes, or reach the customer.
            </Alert>
          )}
          <Points title="Removed" points={TO_REMOVE} />
          <Points title="Kept" points={KEPT} />
          <TextInput
            label={`Type ${WORD} to confirm`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            maxLength={20}
            maw={260}
            data-autofocus
          />
          <Problem error={erase.error} />
          <FormEnd verb="Erase" danger busy={erase.isPending} disabled={typed.trim() !== WORD} onCancel={close} />
        </Stack>
      </form>
    </Dialog>
  );
}
