'use client';

import { Button, Group, List, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { plural } from '../../../_components/format';
import { ErrorState, LoadingRows } from '../../../_components/states';
import { saveFile } from '../../../_components/tables/save-file';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { ELSEWHERE, KEPT, removedTexts, toldText } from './texts';
import type { Erasure } from './types';

/** Milliseconds between two readings of the progress. */
const REFRESH = 1_000;

/** The latest erasures: their progress, and what each has removed. */
export function Erasures() {
  const trpc = useTRPC();
  const list = useQuery(
    trpc.privacy.customer.erasures.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data?.erasures.some(isRunning) ? REFRESH : false),
    }),
  );
  if (list.isError) return <ErrorState error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <LoadingRows rows={2} height={80} />;
  const { erasures } = list.data;
  return (
    <Stack component="section" gap="sm" aria-label="Erasures" maw={820}>
      <Title order={2} size="h4">
        Erasures
      </Title>
      {erasures.length === 0 ? (
        <Text c="dimmed" size="sm">
          No customer has been erased on request yet.
        </Text>
      ) : (
        erasures.map((erasure) => <ErasureCard key={erasure.id} erasure={erasure} />)
      )}
    </Stack>
  );
}

const isRunning = ({ state }: Erasure) => state === 'running';

function ErasureCard({ erasure }: { erasure: Erasure }) {
  const { id, state, bookings, erased, counts, by, found_by, created_at, finished_at, told } = erasure;
  const running = state === 'running';
  const removed = removedTexts(counts);
  return (
    <Paper component="article" withBorder p="md" bg="var(--app-surface)" aria-label={`Erasure ${id}`}>
      <Stack gap="xs">
        <Group justify="space-between" gap="xs">
          <Text fw={600} role={running ? 'status' : undefined}>
            {running
              ? `Erasing: ${erased} of ${plural(bookings, 'booking')}`
              : `Erased: ${plural(bookings, 'booking')}`}
          </Text>
          <Text size="sm" c="dimmed">
            <Time value={finished_at ?? created_at} />
          </Text>
        </Group>
        {running && (
          <>
            <Progress value={(100 * erased) / bookings} aria-label={`${erased} of ${bookings} bookings`} />
            <Text size="sm">
              You can leave this page. If a server stops, the next one continues. It is done only when nothing is left.
            </Text>
          </>
        )}
        <Text size="sm" c="dimmed">
          Requested by {by}, found by {found_by === 'phone' ? 'phone number' : 'name'}
        </Text>
        {removed.length > 0 && (
          <>
            <Text size="sm" fw={600}>
              Removed {running && 'so far'}
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
              Partners told
            </Text>
            <List size="sm">
              {told.map((one) => (
                <List.Item key={one.application}>
                  {one.application}: {toldText(one)}
                </List.Item>
              ))}
            </List>
          </>
        )}
        {!running && <Proof erasure={erasure} />}
      </Stack>
    </Paper>
  );
}

/** What stays, and the record of the erasure as a file. */
function Proof({ erasure }: { erasure: Erasure }) {
  const save = () => {
    const record = { format: 'partner-booking-erasure/1', ...erasure, kept: KEPT, elsewhere: ELSEWHERE };
    saveFile(new Blob([JSON.stringify(record, null, 2)], { type: 'application/json' }), `${erasure.id}.json`);
  };
  return (
    <>
      <details>
        <Text component="summary" size="sm">
          What stays, and where copies can be
        </Text>
        <List size="sm" mt="xs">
          {[...KEPT, ...ELSEWHERE].map((text) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      </details>
      <Button variant="default" size="xs" w="fit-content" onClick={save}>
        Save record as JSON
      </Button>
    </>
  );
}
