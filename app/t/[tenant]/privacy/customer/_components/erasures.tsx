'use client';

import { Button, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { NotLoaded } from '../../../_components/states';
import { saveFile } from '../../../_components/tables/save-file';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { elsewhereTexts, keptTexts, removedTexts, toldText } from './texts';
import type { Erasure } from './types';

const REFRESH_MS = 1_000;

/** The latest erasures: their progress, and what each has removed. */
export function Erasures() {
  const trpc = useTRPC();
  const t = useTranslations('privacy.erasures');
  const list = useQuery(
    trpc.privacy.customer.erasures.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data?.erasures.some(isRunning) ? REFRESH_MS : false),
    }),
  );
  if (list.isError || !list.data) return <NotLoaded query={list} rows={2} height={80} />;
  const { erasures } = list.data;
  return (
    <Stack component="section" gap="sm" aria-label={t('title')} maw={820}>
      <Title order={2} size="h4">
        {t('title')}
      </Title>
      {erasures.length === 0 ? (
        <Hint>{t('none')}</Hint>
      ) : (
        erasures.map((erasure) => <ErasureCard key={erasure.id} erasure={erasure} />)
      )}
    </Stack>
  );
}

const isRunning = ({ state }: Erasure) => state === 'running';

function ErasureCard({ erasure }: { erasure: Erasure }) {
  const all = useTranslations('privacy');
  const t = useTranslations('privacy.erasures');
  const { id, state, bookings, erased, counts, by, found_by, created_at, finished_at, told } = erasure;
  const running = state === 'running';
  const removed = removedTexts(all, counts);
  return (
    <Paper component="article" withBorder p="md" bg="var(--app-surface)" aria-label={t('label', { id })}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text fw={600} role={running ? 'status' : undefined}>
            {running ? t('running', { erased, bookings }) : t('done', { bookings })}
          </Text>
          <Hint>
            <Time value={finished_at ?? created_at} />
          </Hint>
        </Group>
        {running && (
          <>
            <Progress value={(100 * erased) / bookings} aria-label={t('progress', { erased, bookings })} />
            <Text size="sm">{t('leave')}</Text>
          </>
        )}
        <Hint>{t('requested', { by, found: found_by })}</Hint>
        {removed.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {running ? t('removedSoFar') : t('removed')}
            </Text>
            <List size="sm">
              {removed.map((text) => (
                <List.Item key={text}>{text}</List.Item>
              ))}
            </List>
          </>
        )}
        {told.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              {t('partners')}
            </Text>
            <List size="sm">
              {told.map((one) => (
                <List.Item key={one.application}>{toldText(all, one)}</List.Item>
              ))}
            </List>
          </>
        )}
        {!running && <Proof erasure={erasure} />}
      </Stack>
    </Paper>
  );
}

function Proof({ erasure }: { erasure: Erasure }) {
  const all = useTranslations('privacy');
  const t = useTranslations('privacy.erasures');
  const [kept, elsewhere] = [keptTexts(all), elsewhereTexts(all)];
  const save = () => {
    const record = { format: 'partner-booking-erasure/1', ...erasure, kept, elsewhere };
    saveFile(new Blob([JSON.stringify(record, null, 2)], { type: 'application/json' }), `${erasure.id}.json`);
  };
  return (
    <>
      <details>
        <Text component="summary" size="sm">
          {t('details')}
        </Text>
        <List size="sm" mt="xs">
          {[...kept, ...elsewhere].map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      </details>
      <Button variant="default" size="xs" w="fit-content" onClick={save}>
        {t('record')}
      </Button>
    </>
  );
}
