'use client';

import { Alert, Button, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode };

/** Shown in place of an empty list. Explains why the list is empty and what the user can do. */
export function EmptyState({ title, children, action }: EmptyProps) {
  return (
    <Paper withBorder p="xl" bg="var(--app-surface)">
      <Stack align="center" gap="xs" ta="center">
        <ThemeIcon variant="light" size="xl" radius="xl" aria-hidden>
          <IconInbox size={22} />
        </ThemeIcon>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children && (
          <Text c="dimmed" maw={460} style={{ textWrap: 'balance' }}>
            {children}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  );
}

/** Shown in place of the rows if the page number is past the end of the list, for example because a link is old. */
export function PastTheEnd({ page, onFirst }: { page: number; onFirst: () => void }) {
  const t = useTranslations('common.states');
  const format = useFormats();
  const action = (
    <Button variant="default" onClick={onFirst}>
      {t('toFirst')}
    </Button>
  );
  return (
    <EmptyState title={t('pageEmpty', { page: format.count(page) })} action={action}>
      {t('pageEmptyText')}
    </EmptyState>
  );
}

type Failure = { message: string; data?: { code?: string; reason?: string | null } | null } | null;

type ErrorProps = {
  error: Failure;
  retry: () => void;
  toFirst?: (() => void) | undefined;
};

/** Shows an error with a retry button, or a notice if the role has no access or the link to a page of a list is outdated. */
export function ErrorState({ error, retry, toFirst }: ErrorProps) {
  const t = useTranslations('common.states');
  if (error?.data?.code === 'forbidden') {
    return (
      <EmptyState title={t('noAccess')}>
        <IconLock size={16} aria-hidden /> {t('noAccessText')}
      </EmptyState>
    );
  }
  if (toFirst && error?.data?.reason === 'cursor_mismatch') {
    const action = (
      <Button variant="default" onClick={toFirst}>
        {t('backToFirst')}
      </Button>
    );
    return (
      <EmptyState title={t('noPage')} action={action}>
        {t('outdatedLink')}
      </EmptyState>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('failed')} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error?.message ?? t('noResponse')}</Text>
        <Button variant="default" size="xs" onClick={retry}>
          {t('retry')}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Shows placeholders with the height of a row, so that the layout does not shift when the rows appear. */
export function LoadingRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  const t = useTranslations('common');
  return (
    <Stack gap={1} aria-busy="true" role="status" aria-label={t('loading')}>
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <Skeleton key={key} height={height} radius="sm" />
      ))}
    </Stack>
  );
}

type NotLoadedProps = Parameters<typeof LoadingRows>[0] &
  Pick<ErrorProps, 'toFirst'> & { query: { error: Failure; refetch: () => unknown } };

/** In place of the data of a query: its error, or placeholders while it is loading. */
export function NotLoaded({ query: { error, refetch }, toFirst, ...rows }: NotLoadedProps) {
  if (error) return <ErrorState error={error} retry={() => void refetch()} toFirst={toFirst} />;
  return <LoadingRows {...rows} />;
}
