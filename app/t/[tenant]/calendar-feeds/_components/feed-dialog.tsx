'use client';

import { Alert, List, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
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

const TITLES = { create: 'New calendar feed', replace: 'Replace the URL', revoke: 'Revoke the calendar feed' };

/**
 * Creates or revokes a feed, or replaces its URL. While a new URL is shown, neither Escape nor a click outside closes the
 * dialog, because the URL cannot be shown again.
 */
export function FeedDialog({ dialog, taken, onChanged }: Props) {
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
      title={guarded ? 'Copy the URL' : TITLES[act?.kind ?? 'create']}
    >
      {issued ? (
        <ShownOnce
          what="URL"
          warning="This URL is shown only once. Anyone who has it can read these bookings. Send it only to the person whose calendar shows them."
          onClose={close}
        >
          <Secret label="URL of the calendar feed" text={issued.url} copy="Copy URL" first>
            In the calendar program, add a calendar from a URL or from the internet, and paste this URL.
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
    { group: 'Business', items: has.has(BUSINESS) ? [] : [{ value: BUSINESS, label: 'Whole business' }] },
    group('Locations', 'location', choices.data?.locations),
    group('Specialists', 'specialist', choices.data?.specialists),
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
          label="Bookings of"
          description="One feed each. Names of customers are not in the feed."
          placeholder={choices.isPending ? 'Loading' : 'Choose'}
          data={data}
          value={value}
          onChange={setValue}
          searchable
          required
          disabled={choices.isPending}
          error={missing && value === null ? 'Choose whose bookings the feed contains.' : undefined}
          nothingFoundMessage="Nothing found"
        />
        <Problem error={choices.error ?? create.error} />
        <FormEnd verb="Create URL" busy={create.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

function ReplaceForm({ feed, onCancel, onChanged, onIssued }: FormProps & { feed: CalendarFeed }) {
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
      <Text size="sm">
        The feed for <b>{feed.name}</b> gets a new URL. The old URL stops working at once, in every calendar program
        that uses it.
      </Text>
      <LastRead feed={feed} />
      <Problem error={replace.error} />
      <FormEnd verb="Replace URL" busy={replace.isPending} onCancel={onCancel} onGo={() => void go()} />
    </Stack>
  );
}

function RevokeForm({ feed, onCancel, onChanged }: Omit<FormProps, 'onIssued'> & { feed: CalendarFeed }) {
  const trpc = useTRPC();
  const revoke = useMutation(
    trpc.calendar_feeds.revoke.mutationOptions({
      onSuccess: async () => {
        await onChanged();
        notifications.show({ message: 'Calendar feed revoked.' });
        onCancel();
      },
    }),
  );
  return (
    <Stack>
      <List size="sm" spacing={4}>
        <List.Item>
          The URL for <b>{feed.name}</b> stops working at once. This can’t be undone.
        </List.Item>
        <List.Item>Bookings are not affected. Calendar programs can keep what they have read.</List.Item>
      </List>
      <LastRead feed={feed} />
      <Problem error={revoke.error} />
      <FormEnd
        verb="Revoke feed"
        danger
        busy={revoke.isPending}
        onCancel={onCancel}
        onGo={() => revoke.mutate({ feed_id: feed.id })}
      />
    </Stack>
  );
}

function LastRead({ feed: { last_read_at: lastRead } }: { feed: CalendarFeed }) {
  return (
    <Alert color="gray">
      {lastRead === null ? (
        'No calendar program has read this URL.'
      ) : (
        <>
          Last read <Time value={lastRead} />.
        </>
      )}
    </Alert>
  );
}
