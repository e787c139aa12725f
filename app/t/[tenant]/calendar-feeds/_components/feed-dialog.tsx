'use client';

import { Alert, List, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { CalendarFeed, Inputs, IssuedFeed } from '../../_components/api-types';
import { Dialog } from '../../_components/dialogs/dialog';
import { FormEnd, Problem } from '../../_components/forms/form-end';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { Secret, ShownOnce } from '../../applications/_components/shown-once';
import type { GuardedDialog } from '../../applications/_components/use-guarded-dialog';
import type { FeedAct } from './feed-table';

type Props = {
  dialog: GuardedDialog<FeedAct, IssuedFeed>;
  /** The existing feeds. Each specialist or location and the business have at most one. */
  taken: CalendarFeed[];
  onChanged: () => Promise<unknown>;
};

/**
 * Creates or revokes a feed, or replaces its URL. While a new URL is shown, neither Escape nor a click outside closes the
 * dialog, because the URL cannot be shown again.
 */
export function FeedDialog({ dialog, taken, onChanged }: Props) {
  const t = useTranslations('calendarFeeds.dialog');
  const { act, opened, issued, show, close, onClosed } = dialog;
  const guarded = issued !== null;
  const forms = { onCancel: close, onChanged, onIssued: show };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      onExitTransitionEnd={onClosed}
      returnFocus={false}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      withCloseButton={!guarded}
      size="lg"
      title={t(`titles.${guarded ? 'issued' : (act?.kind ?? 'create')}`)}
    >
      {issued ? (
        <ShownOnce what="url" warning={t('warning')} onClose={close}>
          <Secret label={t('urlLabel')} text={issued.url} copy={t('copy')} first>
            {t('paste')}
          </Secret>
        </ShownOnce>
      ) : act?.kind === 'create' ? (
        <CreateForm taken={taken} {...forms} />
      ) : act?.kind === 'replace' ? (
        <ReplaceForm feed={act.feed} {...forms} />
      ) : act?.kind === 'revoke' ? (
        <RevokeForm feed={act.feed} onCancel={close} onChanged={onChanged} />
      ) : null}
    </Dialog>
  );
}

type FormProps = { onCancel: () => void; onChanged: () => Promise<unknown>; onIssued: (issued: IssuedFeed) => void };

type Subject = Inputs['calendar_feeds']['create']['subject'];

const BUSINESS = 'business';

const optionOf = (subject: Subject) => ('id' in subject ? `${subject.kind} ${subject.id}` : BUSINESS);

function subjectOf(value: string): Subject {
  const [kind, id = ''] = value.split(' ');
  return kind === 'specialist' || kind === 'location' ? { kind, id } : { kind: BUSINESS };
}

function CreateForm({ taken, onCancel, onChanged, onIssued }: FormProps & { taken: CalendarFeed[] }) {
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
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (value === null) return setMissing(true);
    const issued = await create.mutateAsync({ subject: subjectOf(value) }).catch(() => null);
    if (!issued) return;
    // Removes the URL from the mutation cache, so that only the dialog contains it.
    create.reset();
    onIssued(issued);
    void onChanged();
  };
  return (
    <form onSubmit={submit} noValidate>
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
    </form>
  );
}

function ReplaceForm({ feed, onCancel, onChanged, onIssued }: FormProps & { feed: CalendarFeed }) {
  const t = useTranslations('calendarFeeds.replace');
  const trpc = useTRPC();
  const replace = useMutation(trpc.calendar_feeds.replace.mutationOptions({ gcTime: 0 }));
  const go = async () => {
    const issued = await replace.mutateAsync({ feed_id: feed.id }).catch(() => null);
    if (!issued) return;
    replace.reset();
    onIssued(issued);
    void onChanged();
  };
  return (
    <Stack>
      <Text size="sm">{t.rich('text', { name: feed.name, b: (text) => <b>{text}</b> })}</Text>
      <LastRead feed={feed} />
      <Problem error={replace.error} />
      <FormEnd verb={t('go')} busy={replace.isPending} onCancel={onCancel} onGo={() => void go()} />
    </Stack>
  );
}

function RevokeForm({ feed, onCancel, onChanged }: Omit<FormProps, 'onIssued'> & { feed: CalendarFeed }) {
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
