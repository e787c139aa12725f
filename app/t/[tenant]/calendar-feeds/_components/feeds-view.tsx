'use client';

import { Alert, Button, Group, List, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { CalendarFeed, Inputs, IssuedFeed } from '../../_components/api-types';
import { Form } from '../../_components/forms/form';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, NotLoaded } from '../../_components/states';
import { DataTable } from '../../_components/tables/data-table';
import { RowButton } from '../../_components/tables/row-button';
import { Table } from '../../_components/tables/table';
import { Ago } from '../../_components/time/ago';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';
import {
  type GuardedDialog,
  makeSecret,
  SecretDialog,
  useGuardedDialog,
} from '../../applications/_components/secret-dialog';
import { Secret, ShownOnce } from '../../applications/_components/shown-once';

/** The calendar feeds of the business, with buttons to create, replace, and revoke them. */
export function FeedsView() {
  const t = useTranslations('calendarFeeds.view');
  const trpc = useTRPC();
  const done = useDone(trpc.calendar_feeds);
  const feeds = useQuery(trpc.calendar_feeds.list.queryOptions());
  const createButton = useRef<HTMLButtonElement>(null);
  const dialog = useGuardedDialog<FeedAct, IssuedFeed>(createButton);
  const changed = () => done();
  const create = (
    <Button
      ref={createButton}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => dialog.open({ kind: 'create' })}
    >
      {t('new')}
    </Button>
  );
  const isEmpty = feeds.data?.length === 0;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} actions={feeds.data && !isEmpty && create} />
      {feeds.isError || !feeds.data ? (
        <NotLoaded query={feeds} rows={3} height={60} />
      ) : isEmpty ? (
        <EmptyState title={t('empty')} action={create}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <Stack gap="md">
          <Hint>{t('note')}</Hint>
          <FeedTable feeds={feeds.data} onAct={dialog.open} />
        </Stack>
      )}
      <FeedDialog dialog={dialog} taken={feeds.data ?? []} onChanged={changed} />
    </>
  );
}

/** The action that the dialog performs: create a feed, or replace the URL of a feed or revoke it. */
export type FeedAct = { kind: 'create' } | { kind: 'replace' | 'revoke'; feed: CalendarFeed };

function FeedTable({ feeds, onAct }: { feeds: CalendarFeed[]; onAct: (act: FeedAct) => void }) {
  const t = useTranslations('calendarFeeds');
  return (
    <DataTable
      caption={t('table.caption')}
      minWidth={760}
      dense
      columns={[t('table.subject'), t('table.kind'), t('table.issued'), t('table.lastRead'), t('table.actions')]}
    >
      {feeds.map((feed) => (
        <Table.Tr key={feed.id}>
          <Table.Td data-label={t('table.subject')} data-wide style={{ overflowWrap: 'anywhere' }}>
            {feed.name}
          </Table.Td>
          <Table.Td data-label={t('table.kind')}>{t(`kinds.${feed.subject.kind}`)}</Table.Td>
          <Table.Td data-label={t('table.issued')}>
            <Time value={feed.issued_at} />
          </Table.Td>
          <Table.Td data-label={t('table.lastRead')}>
            {feed.last_read_at === null ? (
              <Text inherit c="dimmed">
                {t('table.never')}
              </Text>
            ) : (
              <Ago value={feed.last_read_at} />
            )}
          </Table.Td>
          <Table.Td data-actions>
            <Group gap="xs" wrap="nowrap">
              <RowButton
                label={t('table.replaceOf', { name: feed.name })}
                onClick={() => onAct({ kind: 'replace', feed })}
              >
                {t('table.replace')}
              </RowButton>
              <RowButton
                label={t('table.revokeOf', { name: feed.name })}
                onClick={() => onAct({ kind: 'revoke', feed })}
              >
                {t('table.revoke')}
              </RowButton>
            </Group>
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

type Props = {
  dialog: GuardedDialog<FeedAct, IssuedFeed>;
  /** The existing feeds. Each specialist or location and the business have at most one. */
  taken: CalendarFeed[];
  onChanged: () => Promise<unknown>;
};

function FeedDialog({ dialog, taken, onChanged }: Props) {
  const t = useTranslations('calendarFeeds.dialog');
  const { act, issued, show, close } = dialog;
  const onIssued = (made: IssuedFeed) => {
    show(made);
    void onChanged();
  };
  return (
    <SecretDialog dialog={dialog} title={t(`titles.${issued ? 'issued' : (act?.kind ?? 'create')}`)}>
      {issued ? (
        <ShownOnce what="url" warning={t('warning')} onClose={close}>
          <Secret label={t('urlLabel')} text={issued.url} copy={t('copy')} first>
            {t('paste')}
          </Secret>
        </ShownOnce>
      ) : act?.kind === 'create' ? (
        <CreateForm taken={taken} onCancel={close} onIssued={onIssued} />
      ) : act?.kind === 'replace' ? (
        <ReplaceForm feed={act.feed} onCancel={close} onIssued={onIssued} />
      ) : act?.kind === 'revoke' ? (
        <RevokeForm feed={act.feed} onCancel={close} onChanged={onChanged} />
      ) : null}
    </SecretDialog>
  );
}

type FormProps = { onCancel: () => void; onIssued: (issued: IssuedFeed) => void };

type Subject = Inputs['calendar_feeds']['create']['subject'];

const BUSINESS = 'business';

const optionOf = (subject: Subject) => ('id' in subject ? `${subject.kind} ${subject.id}` : BUSINESS);

function subjectOf(value: string): Subject {
  const [kind, id = ''] = value.split(' ');
  return kind === 'specialist' || kind === 'location' ? { kind, id } : { kind: BUSINESS };
}

function CreateForm({ taken, onCancel, onIssued }: FormProps & { taken: CalendarFeed[] }) {
  const t = useTranslations('calendarFeeds.create');
  const kinds = useTranslations('calendarFeeds.kinds');
  const trpc = useTRPC();
  const choices = useQuery(trpc.bookings.choices.queryOptions());
  const [value, setValue] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const create = useMutation(trpc.calendar_feeds.create.mutationOptions({ gcTime: 0 }));
  const has = new Set(taken.map(({ subject }) => optionOf(subject)));
  const group = (label: string, kind: 'location' | 'specialist', records: { id: string; name: string }[] = []) => ({
    group: label,
    items: records
      .map(({ id, name }) => ({ value: optionOf({ kind, id }), label: name }))
      .filter((item) => !has.has(item.value)),
  });
  const data = [
    { group: t('business'), items: has.has(BUSINESS) ? [] : [{ value: BUSINESS, label: kinds('business') }] },
    group(t('locations'), 'location', choices.data?.locations),
    group(t('specialists'), 'specialist', choices.data?.specialists),
  ].filter(({ items }) => items.length > 0);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (value === null) setMissing(true);
    else void makeSecret(create, { subject: subjectOf(value) }, onIssued);
  };
  return (
    <Form busy={create.isPending} onSubmit={submit}>
      <Stack>
        <Select
          label={t('subject')}
          description={t('subjectHint')}
          placeholder={t(choices.isPending ? 'loading' : 'choose')}
          data={data}
          value={value}
          onChange={setValue}
          searchable
          required
          disabled={choices.isPending}
          error={missing && value === null ? t('missing') : undefined}
          nothingFoundMessage={t('nothing')}
        />
        <Problem error={choices.error ?? create.error} />
        <FormEnd verb={t('go')} busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </Form>
  );
}

function ReplaceForm({ feed, onCancel, onIssued }: FormProps & { feed: CalendarFeed }) {
  const t = useTranslations('calendarFeeds.replace');
  const trpc = useTRPC();
  const replace = useMutation(trpc.calendar_feeds.replace.mutationOptions({ gcTime: 0 }));
  const go = () => void makeSecret(replace, { feed_id: feed.id }, onIssued);
  return (
    <Stack>
      <Text size="sm">{t.rich('text', { name: feed.name, b: (text) => <b>{text}</b> })}</Text>
      <LastRead feed={feed} />
      <Problem error={replace.error} />
      <FormEnd verb={t('go')} busy={replace.isPending} onCancel={onCancel} onGo={go} />
    </Stack>
  );
}

type RevokeProps = { feed: CalendarFeed; onCancel: () => void; onChanged: () => Promise<unknown> };

function RevokeForm({ feed, onCancel, onChanged }: RevokeProps) {
  const t = useTranslations('calendarFeeds.revoke');
  const trpc = useTRPC();
  const revoke = useMutation(
    trpc.calendar_feeds.revoke.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        notifications.show({ message: t('done') });
        onCancel();
      },
    }),
  );
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>{t.rich('stops', { name: feed.name, b: (text) => <b>{text}</b> })}</List.Item>
        <List.Item>{t('kept')}</List.Item>
      </List>
      <LastRead feed={feed} />
      <Problem error={revoke.error} />
      <FormEnd
        verb={t('go')}
        danger
        busy={revoke.isPending}
        onCancel={onCancel}
        onGo={() => revoke.mutate({ feed_id: feed.id })}
      />
    </Stack>
  );
}

function LastRead({ feed: { last_read_at: lastRead } }: { feed: CalendarFeed }) {
  const t = useTranslations('calendarFeeds.lastRead');
  return (
    <Alert color="gray">
      {lastRead === null ? t('never') : t.rich('at', { time: () => <Time value={lastRead} /> })}
    </Alert>
  );
}
