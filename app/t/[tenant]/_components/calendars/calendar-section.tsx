'use client';

import { Badge, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import { Dialog } from '../dialogs/dialog';
import { Problem } from '../forms/form-end';
import { NotLoaded } from '../states';
import { Ago } from '../time/ago';
import { DAY } from '../time/moments';
import { useTRPC } from '../trpc';
import { type CalendarRecord, type CalendarSubject, useCalendarChanges } from './use-calendar-changes';

const AddForm = dynamic(() => import('./add-form').then((module) => module.AddForm), { ssr: false });
const EditForm = dynamic(() => import('./edit-form').then((module) => module.EditForm), { ssr: false });

type Props = { subject: CalendarSubject; canEdit: boolean };

/** The calendars of a specialist or a location that other programs keep, with their state. */
export function CalendarSection({ subject, canEdit }: Props) {
  const t = useTranslations('common.calendars');
  const trpc = useTRPC();
  const list = useQuery(trpc.calendars.list.queryOptions(subject));
  const [opened, { open, close }] = useDisclosure();
  const [edited, setEdited] = useState<CalendarRecord | null>(null);
  const { remove, refresh, reload } = useCalendarChanges();
  return (
    <Stack gap="xs" component="section" aria-label={t('title')}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {t('title')}
        </Title>
        {canEdit && (
          <Button variant="default" size="xs" onClick={open}>
            {t('add')}
          </Button>
        )}
      </Group>
      <Hint>{t('lead')}</Hint>
      {(list.isError || list.isPending) && <NotLoaded query={list} rows={2} height={48} />}
      {list.data?.length === 0 && <Text size="sm">{canEdit ? t('noneAdd') : t('none')}</Text>}
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
                      {t('unreadable')}
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
                      aria-label={t('refreshNamed', { name: calendar.name })}
                      loading={refresh.isPending && refresh.variables?.id === calendar.id}
                      onClick={() => refresh.mutate(calendar)}
                    >
                      {t('refresh')}
                    </Button>
                  )}
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={t('editNamed', { name: calendar.name })}
                    onClick={() => setEdited(calendar)}
                  >
                    {t('editShort')}
                  </Button>
                  <Button
                    variant="default"
                    size="compact-sm"
                    aria-label={t('removeNamed', { name: calendar.name })}
                    loading={remove.isPending && remove.variables?.id === calendar.id}
                    onClick={() => remove.mutate(calendar)}
                  >
                    {t('remove')}
                  </Button>
                </Group>
              )}
            </Group>
          </Paper>
        ))}
      </Stack>
      <Dialog opened={opened} onClose={close} title={t('add')}>
        <AddForm subject={subject} onClose={close} onChange={reload} />
      </Dialog>
      <Dialog opened={edited !== null} onClose={() => setEdited(null)} title={t('edit')}>
        {edited && <EditForm calendar={edited} onClose={() => setEdited(null)} onChange={reload} />}
      </Dialog>
    </Stack>
  );
}

function State({ calendar }: { calendar: CalendarRecord }) {
  const { host, problem, busy_times, unread_entries, read_until, last_success_at, show_titles } = calendar;
  const t = useTranslations('common.calendars');
  const tProblem = useTranslations('common.calendars.problems');
  const format = useFormats();
  const date = read_until && format.dateTime(DAY, 'UTC').format(new Date(`${read_until}T00:00:00Z`));
  const count = busy_times;
  const facts = [
    host === null ? t('uploadedFile') : host || t('unknownHost'),
    date ? t('busyTimesUntil', { count, date }) : t('busyTimes', { count }),
    ...(show_titles ? [t('titlesShown')] : []),
  ];
  const ago = () => <Ago value={last_success_at ?? ''} both />;
  return (
    <>
      <Text size="sm" c="dimmed" component="div">
        {facts.join(' · ')}
      </Text>
      {last_success_at && (
        <Text size="sm" component="div">
          {t.rich(host === null ? 'uploadedAgo' : 'readAgo', { ago })}
        </Text>
      )}
      {problem !== null && (
        <Text size="sm" component="div">
          {problemText(tProblem, problem)} {calendar.block_when_stale ? t('staleBlock') : t('staleKeep')}
        </Text>
      )}
      {unread_entries > 0 && <Text size="sm">{t('unread', { count: unread_entries })}</Text>}
    </>
  );
}

const CODES = [
  ...(['not_calendar', 'too_large', 'too_complex', 'too_many', 'unsupported_rule', 'timeout', 'http_status'] as const),
  ...(['refused_address', 'redirect', 'name_not_found', 'tls', 'unreadable_url'] as const),
];

function problemText(t: Translator<'common.calendars.problems'>, code: string): string {
  return t(CODES.find((one) => one === code) ?? 'other');
}
