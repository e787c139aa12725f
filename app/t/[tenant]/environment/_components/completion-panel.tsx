'use client';

import { Button, Group, NumberInput, Paper, Stack, Switch, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../_components/forms/form-end';
import { useTRPC } from '../../_components/trpc';

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
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="completion">
      <Stack>
        <Title order={2} size="h5" id="completion">
          {t('title')}
        </Title>
        <Text size="sm">{t('lead')}</Text>
        <Form key={saved.data.hours} saved={saved.data.hours} />
      </Stack>
    </Paper>
  );
}

function Form({ saved }: { saved: number | null }) {
  const t = useTranslations('environment.completion');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [hours, setHours] = useState<number | string | null>(saved);
  const save = useMutation(
    trpc.bookings.visits.set_automatic.mutationOptions({
      onSuccess: (result) => {
        notifications.show({
          message: result.hours === null ? t('savedOff') : t('savedHours', { hours: result.hours }),
        });
        return queries.invalidateQueries({ queryKey: trpc.bookings.visits.automatic.queryKey() });
      },
    }),
  );
  const isValid = hours === null || (typeof hours === 'number' && hours >= BOUNDS.min && hours <= BOUNDS.max);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hours === null || typeof hours === 'number') save.mutate({ hours });
  };
  return (
    <form onSubmit={submit} noValidate>
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
    </form>
  );
}
