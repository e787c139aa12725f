'use client';

import { Alert, Button, Paper, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconAlertTriangle, IconInbox, IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode };

/** Nothing here yet, or nothing that fits the filters: says which, and what to do. */
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

/** A page of a list behind its last one: the rows went, or the address was made up. */
export function PastTheEnd({ page, onFirst }: { page: number; onFirst: () => void }) {
  const action = (
    <Button variant="default" onClick={onFirst}>
      Go to the first page
    </Button>
  );
  return (
    <EmptyState title={`Page ${page.toLocaleString('en')} is empty`} action={action}>
      The list ends before it.
    </EmptyState>
  );
}

/** What a failed query says of itself. */
type Failure = { message: string; data?: { code?: string; reason?: string | null } | null } | null;

type ErrorProps = {
  error: Failure;
  retry: () => void;
  /** Of a list in pages: to its first one. */
  toFirst?: () => void;
};

/** A failure, in words, with a way to try again; a refusal of the role says so instead. */
export function ErrorState({ error, retry, toFirst }: ErrorProps) {
  if (error?.data?.code === 'forbidden') {
    return (
      <EmptyState title="Not for your role">
        <IconLock size={16} aria-hidden /> An owner of this Control Center can show you this, or change your role.
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
      <EmptyState title="This page is not there" action={action}>
        The address goes on from a row that this list does not have.
      </EmptyState>
    );
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title="This could not be loaded" role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{error?.message ?? 'The server did not answer.'}</Text>
        <Button variant="default" size="xs" onClick={retry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  );
}

/** Rows that are on their way, as high as they will be: nothing moves when they arrive. */
export function LoadingRows({ rows = 6, height = 44 }: { rows?: number; height?: number }) {
  return (
    <Stack gap={1} aria-busy="true" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <Skeleton key={key} height={height} radius="sm" />
      ))}
    </Stack>
  );
}
