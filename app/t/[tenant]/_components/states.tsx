'use client';

import { Alert, Button, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

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
          <Text c="dimmed" maw={460}>
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
  const action = (
    <Button variant="default" onClick={onFirst}>
      Go to the first page
    </Button>
  );
  return (
    <EmptyState title={`Page ${page.toLocaleString('en')} is empty`} action={action}>
      This list does not have that many pages.
    </EmptyState>
  );
}

/** The error of a failed query. */
type Failure = { message: string; data?: { code?: string; reason?: string | null } | null } | null;

type ErrorProps = {
  error: Failure;
  retry: () => void;
  /** Goes to the first page. Set only for paged lists. */
  toFirst?: () => void;
};

/**
 * An error message with a retry button. If the user's role has no access, or if the link to a page of a list is
 * outdated, shows a notice instead.
 */
export function ErrorState({ error, retry, toFirst }: ErrorProps) {
  if (error?.data?.code === 'forbidden') {
    return (
      <EmptyState title="You do not have access">
        <IconLock size={16} aria-hidden /> Ask an owner of this Control Center to change your role.
      </EmptyState>
    );
  }
  if (toFirst && error?.data?.reason === 'cursor_mismatch') {
    const action = (
      <Button variant="default" onClick={toFirst}>
        Back to the first page
      </Button>
    );
    return (
      <EmptyState title="This page does not exist" action={action}>
        The link may be outdated. Go back to the first page.
      </EmptyState>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="Could not load the data" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error?.message ?? 'The server did not respond.'}</Text>
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/**
 * Placeholders for rows that are loading. Each placeholder has the height of a row so that the layout does not shift
 * when the rows appear.
 */
export function LoadingRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap={1} aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <Skeleton key={key} height={height} radius="sm" />
      ))}
    </Stack>
  );
}
