'use client';

import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { useTRPC } from '../../../../_components/trpc';
import { FormEnd, Points, Problem } from './form-end';
import { useRefresh } from './use-refresh';

/** Days back that a replay may reach, and deliveries that it takes (contract B11). */
const MAX_DAYS = 14;
const MAX_REPLAY = '10,000';
const DAY = 86_400_000;

/** Returns a moment as the field wants it: the reader's wall clock, to the minute. */
function localText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the moment of the field, or what is wrong with it. */
function readSince(text: string): { since: string } | { problem: string } {
  const at = new Date(text).getTime();
  if (Number.isNaN(at)) return { problem: 'Choose a date and a time.' };
  if (at > Date.now()) return { problem: 'Choose a moment that has passed.' };
  if (at < Date.now() - MAX_DAYS * DAY) return { problem: `Choose a moment within the last ${MAX_DAYS} days.` };
  return { since: new Date(at).toISOString() };
}

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Sends all deliveries once more that failed since a moment; says first how many. */
export function ReplayForm({ applicationId, endpoint, onCancel }: Props) {
  const trpc = useTRPC();
  const refresh = useRefresh();
  const [text, setText] = useState(() => localText(Date.now() - DAY));
  const read = readSince(text);
  const since = 'since' in read ? read.since : null;
  const found = useQuery({
    ...trpc.webhooks.replay_count.queryOptions({ application_id: applicationId, since: since ?? '' }, { staleTime: 0 }),
    enabled: since !== null,
  });
  const start = useMutation(
    trpc.webhooks.replay_failed.mutationOptions({
      onSuccess: async () => {
        await refresh();
        onCancel();
      },
      onError: () => void refresh(),
    }),
  );
  const count = since !== null && found.data ? found.data.count : null;
  return (
    <Stack>
      <TextInput
        type="datetime-local"
        label="Deliveries made since"
        description={`In your time zone, at most ${MAX_DAYS} days back.`}
        value={text}
        min={localText(Date.now() - MAX_DAYS * DAY)}
        max={localText(Date.now())}
        error={'problem' in read ? read.problem : undefined}
        onChange={(event) => setText(event.currentTarget.value)}
        data-autofocus
      />
      <Count count={count} more={found.data?.more ?? false} waiting={since !== null && found.isPending} />
      <Points
        title="What happens"
        points={[
          'Each gets one attempt, the oldest first, with the same event id and its next attempt number.',
          'You see how far it is, and can stop it: what was not begun then stays failed.',
        ]}
      />
      <Points title="What does not" points={['New events go on beside it. What fails again stays failed.']} />
      <Problem error={found.error ?? start.error} />
      <FormEnd
        verb={count ? `Replay ${plural(count, 'delivery', 'deliveries')}` : 'Replay'}
        busy={start.isPending}
        disabled={!count || endpoint.state !== 'active'}
        onCancel={onCancel}
        onGo={() => since && start.mutate({ application_id: applicationId, since })}
      />
    </Stack>
  );
}

function Count({ count, more, waiting }: { count: number | null; more: boolean; waiting: boolean }) {
  return (
    <Alert color={more ? 'yellow' : 'gray'} role="status">
      <Text size="sm" fw={600}>
        {waiting ? 'Counting …' : countText(count, more)}
      </Text>
    </Alert>
  );
}

function countText(count: number | null, more: boolean): string {
  if (count === null) return 'Choose a moment to see how many there are.';
  if (more) {
    return `More than ${MAX_REPLAY} failed since then. The oldest ${MAX_REPLAY} are sent; start another replay for the rest afterwards.`;
  }
  return count === 0 ? 'None failed since then.' : `${plural(count, 'delivery', 'deliveries')} failed since then.`;
}
