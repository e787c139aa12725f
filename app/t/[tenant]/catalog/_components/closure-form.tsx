'use client';

import { Button, Checkbox, Group, ScrollArea, SimpleGrid, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { plural } from '../../_components/format';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';
import { AffectedDialog, NOTHING_SEEN, useAffected } from './affected-dialog';
import { TextField } from './fields';
import { FieldErrorsProvider, fieldErrorsOf, messagesOf } from './form-context';
import type { Choices } from './types';

type FormProps = { locations: Choices['locations']; onClose: () => void };

/** The form that closes several locations on the same dates. */
export function ClosureForm({ locations, onClose }: FormProps) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [note, setNote] = useState('');
  const [chosen, setChosen] = useState(() => locations.map(({ id }) => id));
  const { close, affected } = useClose(onClose);
  const save = (confirmed: string) =>
    close.mutate({ location_ids: chosen, from, to: to || from, note: note.trim() || null, confirmed });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(NOTHING_SEEN);
  };
  const errors = useMemo(() => messagesOf(fieldErrorsOf(close.error)), [close.error]);
  return (
    <form noValidate onSubmit={submit}>
      <FieldErrorsProvider errors={errors}>
        <Stack>
          <Text size="sm">
            The selected locations are closed all day. The closure replaces their opening hours and any exceptions on
            these days.
          </Text>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextField label="First day" path="from" type="date" value={from} onChange={setFrom} required />
            <TextField label="Last day" path="to" type="date" value={to || from} onChange={setTo} />
          </SimpleGrid>
          <TextField
            label="Note"
            path="note"
            value={note}
            onChange={setNote}
            maxLength={500}
            placeholder="Public holiday"
          />
          <LocationChoice locations={locations} chosen={chosen} onChange={setChosen} />
          {Object.keys(errors).length === 0 && <Problem error={close.error} />}
          <FormEnd
            verb={`Add closure to ${plural(chosen.length, 'location')}`}
            busy={close.isPending}
            disabled={chosen.length === 0}
            onCancel={onClose}
          />
        </Stack>
      </FieldErrorsProvider>
      <AffectedDialog state={affected} busy={close.isPending} onConfirm={save} />
    </form>
  );
}

function useClose(onClose: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const affected = useAffected();
  const close = useMutation(
    trpc.catalog.bulk.close.mutationOptions({
      onSuccess: async (result) => {
        if ('affected' in result) return affected.show(result.affected);
        affected.close();
        onClose();
        notifications.show({ message: `Closure added to ${plural(result.changed, 'location')}.` });
        await queries.invalidateQueries({ queryKey: trpc.catalog.pathKey() });
      },
      onError: affected.close,
    }),
  );
  return { close, affected };
}

type ChoiceProps = { locations: Choices['locations']; chosen: string[]; onChange: (ids: string[]) => void };

function LocationChoice({ locations, chosen, onChange }: ChoiceProps) {
  const isAll = chosen.length === locations.length;
  return (
    <Checkbox.Group label="Locations" value={chosen} onChange={onChange}>
      <Group mt={6} mb={6}>
        <Button
          variant="default"
          size="compact-xs"
          onClick={() => onChange(isAll ? [] : locations.map(({ id }) => id))}
        >
          {isAll ? 'Clear all' : 'Select all'}
        </Button>
      </Group>
      <ScrollArea.Autosize mah={240} type="auto">
        <Stack gap={6}>
          {locations.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
        </Stack>
      </ScrollArea.Autosize>
    </Checkbox.Group>
  );
}
