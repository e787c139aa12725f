'use client';

import { Button, Group, NumberInput, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { plural } from '../../_components/format';
import { Problem } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';

/** The bounds of the server, in hours, and the first suggestion. */
const [MIN, MAX, SUGGESTED] = [1, 720, 24];

/** After how many hours visits are completed automatically, if at all. Only owners see it. */
export function CompletionPanel() {
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  const isOwner = me.data?.role === 'OWNER';
  const saved = useQuery(trpc.bookings.visits.automatic.queryOptions(undefined, { enabled: isOwner }));
  if (!isOwner || !saved.data) return null;
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="completion">
      <Stack>
        <Title order={2} size="h5" id="completion">
          Automatic completion
        </Title>
        <Text size="sm">
          Confirmed bookings are completed some hours after they end, and partners are notified by webhook. Mark
          no-shows before that, or within 24 hours after it: undo the completion on the page of the booking. A booking
          whose completion was undone is left to you.
        </Text>
        <Form key={saved.data.hours} saved={saved.data.hours} />
      </Stack>
    </Paper>
  );
}

function Form({ saved }: { saved: number | null }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [hours, setHours] = useState<number | string | null>(saved);
  const save = useMutation(
    trpc.bookings.visits.set_automatic.mutationOptions({
      onSuccess: (result) => {
        notifications.show({
          message:
            result.hours === null
              ? 'Visits are no longer completed automatically.'
              : `Visits are completed after ${plural(result.hours, 'hour')}.`,
        });
        return queries.invalidateQueries({ queryKey: trpc.bookings.visits.automatic.queryKey() });
      },
    }),
  );
  const isValid = hours === null || (typeof hours === 'number' && hours >= MIN && hours <= MAX);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hours === null || typeof hours === 'number') save.mutate({ hours });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Switch
          label="Complete visits automatically"
          checked={hours !== null}
          onChange={(event) => setHours(event.currentTarget.checked ? (saved ?? SUGGESTED) : null)}
        />
        {hours !== null && (
          <NumberInput
            label="Hours after the end"
            description={`From ${MIN} to ${MAX}.${saved === null ? ' Visits that ended before you switch this on stay as they are: complete them in Bookings.' : ''}`}
            min={MIN}
            max={MAX}
            allowDecimal={false}
            clampBehavior="none"
            maw={280}
            value={hours}
            error={isValid ? null : `Enter a whole number from ${MIN} to ${MAX}.`}
            onChange={setHours}
          />
        )}
        <Problem error={save.error} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!isValid || hours === saved}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
