'use client';

import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { IssuedFeed } from '../../_components/api-types';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useGuardedDialog } from '../../applications/_components/use-guarded-dialog';
import { FeedDialog } from './feed-dialog';
import { type FeedAct, FeedTable } from './feed-table';

/** The calendar feeds of the business, with buttons to create, replace, and revoke them. */
export function FeedsView() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const feeds = useQuery(trpc.calendar_feeds.list.queryOptions());
  const createButton = useRef<HTMLButtonElement>(null);
  const dialog = useGuardedDialog<FeedAct, IssuedFeed>(createButton);
  const changed = () => queries.invalidateQueries({ queryKey: trpc.calendar_feeds.pathKey() });
  const create = (
    <Button
      ref={createButton}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => dialog.open({ kind: 'create' })}
    >
      New calendar feed
    </Button>
  );
  const isEmpty = feeds.data?.length === 0;
  return (
    <>
      <PageHeader
        title="Calendar feeds"
        lead="Bookings in the calendar program of a specialist, a location, or the whole business."
        actions={feeds.data && !isEmpty && create}
      />
      {feeds.isError ? (
        <ErrorState error={feeds.error} retry={() => void feeds.refetch()} />
      ) : !feeds.data ? (
        <LoadingRows rows={3} height={60} />
      ) : isEmpty ? (
        <EmptyState title="No calendar feeds yet" action={create}>
          A calendar feed is a secret URL to which Google Calendar, Outlook, Apple Calendar, or Thunderbird subscribes.
          It shows bookings without the names of customers.
        </EmptyState>
      ) : (
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            Anyone who has the URL of a feed can read its bookings, without the names of customers. A URL is shown only
            once. Replace it when someone who has it leaves. A feed contains the past 30 days and everything ahead, at
            most 5,000 bookings.
          </Text>
          <FeedTable feeds={feeds.data} onAct={dialog.open} />
        </Stack>
      )}
      <FeedDialog dialog={dialog} taken={feeds.data ?? []} onChanged={changed} />
    </>
  );
}
