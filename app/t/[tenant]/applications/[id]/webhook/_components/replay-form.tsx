'use client';

import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Endpoint } from '../../../../_components/api-types';
import { plural } from '../../../../_components/format';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useRefresh } from './use-refresh';

/** Maximum age, in days, of a delivery that a replay includes (contract B11). */
const MAX_DAYS = 14;
/** Maximum number of deliveries in a replay (contract B11). */
const MAX_REPLAY = '10,000';
const DAY = 86_400_000;

/** Formats a timestamp for a `datetime-local` field: local time, to the minute. */
function localText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * Parses the value of the `datetime-local` field. Returns an error message if the value is not a time within the last
 * `MAX_DAYS` days.
 */
function readSince(text: string): { since: string } | { problem: string } {
  const at = new Date(text).getTime();
  if (Number.isNaN(at)) return { problem: 'Select a date and time.' };
  if (at > Date.now()) return { problem: 'Select a time in the past.' };
  if (at < Date.now() - MAX_DAYS * DAY) return { problem: `Select a time within the last ${MAX_DAYS} days.` };
  return { since: new Date(at).toISOString() };
}

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/**
 * Replays the failed deliveries that were created since a given time, but at most `MAX_REPLAY`. Shows the number of
 * these deliveries before the replay starts.
 */
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
        label="Failed deliveries created after"
        description={`In your time zone, at most ${MAX_DAYS} days ago.`}
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
          'Each failed delivery is sent once, oldest first. The event ID stays the same, and the attempt number goes up by one.',
          'You can follow the progress and stop the replay.',
          'If you stop the replay, deliveries that were not sent yet stay failed.',
        ]}
      />
      <Points
        title="What does not change"
        points={['New events are sent as usual.', 'Deliveries that fail again stay failed.']}
      />
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
        {waiting ? 'Counting…' : countText(count, more)}
      </Text>
    </Alert>
  );
}

function countText(count: number | null, more: boolean): string {
  if (count === null) return 'Select a time to see the number of deliveries.';
  if (more) {
    return `More than ${MAX_REPLAY} deliveries created since then have failed. This replay covers the oldest ${MAX_REPLAY}. Start another replay for the rest.`;
  }
  return count === 0
    ? 'None of the deliveries created since then have failed.'
    : `${plural(count, 'delivery created since then has', 'deliveries created since then have')} failed.`;
}
