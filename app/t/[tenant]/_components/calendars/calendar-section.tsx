'use client';

import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Dialog } from '../dialogs/dialog';
import { formatCount, plural } from '../format';
import { Problem } from '../forms/form-end';
import { ErrorState, LoadingRows } from '../states';
import { Ago } from '../time/ago';
import { DAY, formatterOf } from '../time/moments';
import { useTRPC } from '../trpc';
import { problemText } from './problem-text';
import { type CalendarRecord, type CalendarSubject, useCalendarChanges } from './use-calendar-changes';

const AddForm = dynamic(() => import('./add-form').then((module) => module.AddForm), { ssr: false });
const EditForm = dynamic(() => import('./edit-form').then((module) => module.EditForm), { ssr: false });

const DATE = formatterOf(DAY, 'UTC');

type Props = { subject: CalendarSubject; canEdit: boolean };

/** The calendars of a specialist or a location that other programs keep, with their state. */
export function CalendarSection({ subject, canEdit }: Props) {
  const trpc = useTRPC();
  const list = useQuery(trpc.calendars.list.queryOptions(subject));
  const [opened, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<CalendarRecord | null>(null);
  const { remove, refresh, reload } = useCalendarChanges();
  return (
    <Stack gap="xs" component="section" aria-label="Calendars">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Calendars
        </Title>
        {canEdit && (
          <Button variant="default" size="xs" onClick={open}>
            Add calendar
          </Button>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        Nobody can book the time at which one of these calendars is busy. Existing bookings stay.
      </Text>
      {list.isError && <ErrorState error={list.error} retry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={2} height={48} />}
      {list.data?.length === 0 && (
        <Text size="sm">
          No calendar yet. {canEdit && 'Add the address of a calendar in Google, Outlook, Apple, or another program.'}
        </Text>
      )}
      <Problem error={remove.error ?? refresh.error} />
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {list.data?.map((calendar) => (
          <Paper key={calendar.id} component="li" withBorder p="sm" bg="var(--app-surface)">
            <Group justify="space-between" align="flex-start" gap="xs">
              <Stack gap={2} style={{ minWidth: 0, flex: '1 1 240px' }}>
                <Group gap="xs">
                  <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {calendar.name}
                  </Text>
                  {calendar.problem !== null && (
                    <Badge color="red" variant="light">
                      Not readable
                    </Badge>
                  )}
                </Group>
                <State calendar={calendar} />
              </Stack>
              {canEdit && (
                <Group gap={6}>
                  {calendar.host !== null && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      aria-label={`Refresh ${calendar.name}`}
                      loading={refresh.isPending && refresh.variables?.id === calendar.id}
                      onClick={() => refresh.mutate(calendar)}
                    >
                      Refresh
                    </Button>
                  )}
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Edit ${calendar.name}`}
                    onClick={() => setEdited(calendar)}
                  >
                    Edit
                  </Button>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={`Remove ${calendar.name}`}
                    loading={remove.isPending && remove.variables?.id === calendar.id}
                    onClick={() => remove.mutate(calendar)}
                  >
                    Remove
                  </Button>
                </Group>
              )}
            </Group>
          </Paper>
        ))}
      </Stack>
      <Dialog opened={opened} onClose={close} title="Add calendar">
        <AddForm subject={subject} onClose={close} onChange={reload} />
      </Dialog>
      <Dialog opened={edited !== null} onClose={() => setEdited(null)} title="Edit calendar">
        {edited && <EditForm calendar={edited} onClose={() => setEdited(null)} onChange={reload} />}
      </Dialog>
    </Stack>
  );
}

/** Where a calendar comes from, how old its times are, and why they are not newer. */
function State({ calendar }: { calendar: CalendarRecord }) {
  const { host, problem, busy_times, unread_entries, read_until, last_success_at, show_titles } = calendar;
  const until = read_until && DATE.format(new Date(`${read_until}T00:00:00Z`));
  return (
    <>
      <Text size="sm" c="dimmed" component="div">
        {host === null ? 'Uploaded file' : host || 'Unknown host'} · {plural(busy_times, 'busy time')}
        {until && ` until ${until}`}
        {show_titles && ' · titles shown'}
      </Text>
      {last_success_at && (
        <Text size="sm" component="div">
          {host === null ? 'Uploaded' : 'Read'} <Ago value={last_success_at} both />
        </Text>
      )}
      {problem !== null && (
        <Text size="sm" component="div">
          {problemText(problem)}{' '}
          {calendar.block_when_stale
            ? 'The known times count. After 24 hours without a success, all time counts as busy.'
            : 'The known times keep counting.'}
        </Text>
      )}
      {unread_entries > 0 && (
        <Text size="sm">
          {formatCount(unread_entries)} {unread_entries === 1 ? 'entry states' : 'entries state'} no valid time and{' '}
          {unread_entries === 1 ? 'does' : 'do'} not count.
        </Text>
      )}
    </>
  );
}
