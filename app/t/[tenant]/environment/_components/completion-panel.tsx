'use client';

import { Button, Group, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Form } from '../../_components/forms/form';
import { Problem } from '../../_components/forms/form-end';
import { Panel } from '../../_components/panel';
import { useLeaveWarning } from '../../_components/shell/leave-guard';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';

/** Those of the server, in hours. */
const BOUNDS = { min: 1, max: 720 };

/** The first suggestion, in hours. */
const SUGGESTED = 24;

/** After how many hours visits are completed automatically, if at all. Only owners see it. */
export function CompletionPanel() {
  const t = useTranslations('environment.completion');
  const trpc = useTRPC();
  const me = useQuery(trpc.session.me.queryOptions());
  const isOwner = me.data?.role === 'OWNER';
  const saved = useQuery(trpc.bookings.visits.automatic.queryOptions(undefined, { enabled: isOwner }));
  if (!isOwner || !saved.data) return null;
  return (
    <Panel title={t('title')}>
      <Text size="sm">{t('lead')}</Text>
      <HoursForm saved={saved.data.hours} />
    </Panel>
  );
}

function HoursForm({ saved }: { saved: number | null }) {
  const t = useTranslations('environment.completion');
  const trpc = useTRPC();
  const done = useDone(trpc.bookings);
  const [hours, setHours] = useState<number | string | null>(saved);
  // The value that the form started from. A newer one replaces only an unchanged one.
  const [before, setBefore] = useState(saved);
  if (saved !== before) {
    setBefore(saved);
    if (hours === before) setHours(saved);
  }
  useLeaveWarning(hours !== saved);
  const save = useMutation(
    trpc.bookings.visits.set_automatic.mutationOptions({
      onSuccess: ({ hours: now }) => done(now === null ? t('savedOff') : t('savedHours', { hours: now })),
    }),
  );
  const isValid = hours === null || (typeof hours === 'number' && hours >= BOUNDS.min && hours <= BOUNDS.max);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hours === null || typeof hours === 'number') save.mutate({ hours });
  };
  return (
    <Form busy={save.isPending} onSubmit={submit}>
      <Stack gap="sm">
        <Switch
          label={t('switch')}
          checked={hours !== null}
          onChange={(event) => setHours(event.currentTarget.checked ? (saved ?? SUGGESTED) : null)}
        />
        {hours !== null && (
          <NumberInput
            label={t('hours')}
            description={t(saved === null ? 'boundsFirst' : 'bounds', BOUNDS)}
            min={BOUNDS.min}
            max={BOUNDS.max}
            allowDecimal={false}
            clampBehavior="none"
            maw={280}
            value={hours}
            error={isValid ? null : t('invalid', BOUNDS)}
            onChange={setHours}
          />
        )}
        <Problem error={save.error} />
        <Group>
          <Button type="submit" loading={save.isPending} disabled={!isValid || hours === saved}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
