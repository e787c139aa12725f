'use client';

import { Button, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { IssuedFeed } from '../../_components/api-types';
import { PageHeader } from '../../_components/shell/page-header';
import { EmptyState, ErrorState, LoadingRows } from '../../_components/states';
import { useTRPC } from '../../_components/trpc';
import { useGuardedDialog } from '../../applications/_components/use-guarded-dialog';
import { FeedDialog } from './feed-dialog';
import { type FeedAct, FeedTable } from './feed-table';

/** The calendar feeds of the business, with buttons to create, replace, and revoke them. */
export function FeedsView() {
  const t = useTranslations('calendarFeeds.view');
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
      {t('new')}
    </Button>
  );
  const isEmpty = feeds.data?.length === 0;
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} actions={feeds.data && !isEmpty && create} />
      {feeds.isError ? (
        <ErrorState error={feeds.error} retry={() => void feeds.refetch()} />
      ) : !feeds.data ? (
        <LoadingRows rows={3} height={60} />
      ) : isEmpty ? (
        <EmptyState title={t('empty')} action={create}>
          {t('emptyHint')}
        </EmptyState>
      ) : (
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('note')}
          </Text>
          <FeedTable feeds={feeds.data} onAct={dialog.open} />
        </Stack>
      )}
      <FeedDialog dialog={dialog} taken={feeds.data ?? []} onChanged={changed} />
    </>
  );
}
