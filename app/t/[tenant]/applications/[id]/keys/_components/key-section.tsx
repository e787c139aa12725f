'use client';

import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { EmptyState, ErrorState, LoadingRows } from '../../../../_components/states';
import { useTRPC } from '../../../../_components/trpc';
import { KeyDialog } from './key-dialog';
import { KeyTable } from './key-table';
import { ReadinessSection } from './readiness/readiness-section';
import { useKeyDialog } from './use-key-dialog';

/** An application's keys, with buttons to issue, rotate, and revoke them. */
export function KeySection({ applicationId, canEdit }: { applicationId: string; canEdit: boolean }) {
  const t = useTranslations('applications.keys');
  const trpc = useTRPC();
  const queries = useQueryClient();
  const keys = useQuery(trpc.keys.list.queryOptions({ application_id: applicationId }));
  const issueButton = useRef<HTMLButtonElement>(null);
  const dialog = useKeyDialog(issueButton);
  const changed = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: trpc.keys.pathKey() }),
      queries.invalidateQueries({ queryKey: trpc.applications.pathKey() }),
    ]);
  const issue = canEdit && (
    <Button
      ref={issueButton}
      leftSection={<IconPlus size={16} aria-hidden />}
      onClick={() => dialog.open({ kind: 'issue' })}
    >
      {t('issue')}
    </Button>
  );
  return (
    <Stack gap="md">
      {keys.isError ? (
        <ErrorState error={keys.error} retry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <LoadingRows rows={4} height={60} />
      ) : keys.data.keys.length === 0 ? (
        <EmptyState title={t('empty')} action={issue}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <>
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {t.rich('lead', {
                docs: (text) => (
                  <Anchor inherit underline="always" href="/docs" target="_blank">
                    {text}
                  </Anchor>
                ),
              })}
            </Text>
            {issue}
          </Group>
          <KeyTable list={keys.data} at={keys.dataUpdatedAt} canEdit={canEdit} onAct={dialog.open} onEnd={changed} />
          {keys.data.more > 0 && (
            <Text size="sm" c="dimmed">
              {t('older', { count: keys.data.more })}
            </Text>
          )}
        </>
      )}
      <ReadinessSection applicationId={applicationId} canEdit={canEdit} />
      <KeyDialog applicationId={applicationId} dialog={dialog} onChanged={changed} />
    </Stack>
  );
}
