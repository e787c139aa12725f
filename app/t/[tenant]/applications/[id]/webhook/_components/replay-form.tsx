'use client';

import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/app/_components/language';
import type { Endpoint } from '../../../../_components/api-types';
import { Fields } from '../../../../_components/forms/form';
import { FormEnd, Points, Problem } from '../../../../_components/forms/form-end';
import { useTRPC } from '../../../../_components/trpc';
import { useDone } from '../../../../_components/use-done';

/** Maximum age, in days, of a delivery that a replay includes (contract B11). */
const MAX_DAYS = 14;
/** Maximum number of deliveries in a replay (contract B11). */
const MAX_REPLAY = 10_000;
const DAY = 86_400_000;

function localText(at: number): string {
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function readSince(t: Translator<'webhooks.replay'>, text: string): { since: string } | { problem: string } {
  const at = new Date(text).getTime();
  if (Number.isNaN(at)) return { problem: t('selectTime') };
  if (at > Date.now()) return { problem: t('selectPast') };
  if (at < Date.now() - MAX_DAYS * DAY) return { problem: t('selectWithin', { days: MAX_DAYS }) };
  return { since: new Date(at).toISOString() };
}

type Props = { applicationId: string; endpoint: Endpoint; onCancel: () => void };

/** Replays at most `MAX_REPLAY` failed deliveries. Shows their number before the replay starts. */
export function ReplayForm({ applicationId, endpoint, onCancel }: Props) {
  const t = useTranslations('webhooks.replay');
  const trpc = useTRPC();
  const refresh = useDone(trpc.webhooks, trpc.overview);
  const [text, setText] = useState(() => localText(Date.now() - DAY));
  const read = readSince(t, text);
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
      <Fields busy={start.isPending}>
        <TextInput
          type="datetime-local"
          label={t('since')}
          description={t('sinceHelp', { days: MAX_DAYS })}
          value={text}
          min={localText(Date.now() - MAX_DAYS * DAY)}
          max={localText(Date.now())}
          error={'problem' in read ? read.problem : undefined}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
      </Fields>
      <Count count={count} more={found.data?.more ?? false} waiting={since !== null && found.isPending} />
      <Points of="happens" points={[t('sentOnce'), t('follow'), t('ifStopped')]} />
      <Points of="stays" points={[t('newEvents'), t('failAgain')]} />
      <Problem error={found.error ?? start.error} />
      <FormEnd
        verb={count ? t('goCount', { count }) : t('go')}
        busy={start.isPending}
        disabled={!count || endpoint.state !== 'active'}
        onCancel={onCancel}
        onGo={() => since && start.mutate({ application_id: applicationId, since })}
      />
    </Stack>
  );
}

function Count({ count, more, waiting }: { count: number | null; more: boolean; waiting: boolean }) {
  const t = useTranslations('webhooks.replay');
  return (
    <Alert color={more ? 'yellow' : 'gray'} role="status">
      <Text size="sm" fw={600}>
        {waiting ? t('counting') : countText(t, count, more)}
      </Text>
    </Alert>
  );
}

function countText(t: Translator<'webhooks.replay'>, count: number | null, more: boolean): string {
  if (count === null) return t('toCount');
  if (more) return t('moreThan', { max: MAX_REPLAY });
  return count === 0 ? t('noneFailed') : t('found', { count });
}
