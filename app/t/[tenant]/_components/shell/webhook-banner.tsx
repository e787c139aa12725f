'use client';

import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@/app/_components/link';
import type { DisabledEndpoints } from '../api-types';
import { useTRPC } from '../trpc';

/** Milliseconds between polls for disabled endpoints. */
const POLL_INTERVAL = 15_000;
/** Maximum number of endpoints that the banner lists. The Overview lists all disabled endpoints. */
const MAX_NAMED = 3;

const WHY = {
  gone: 'the receiver responded with 410 Gone',
  failing: 'no delivery succeeded for 120 hours',
} as const;

/** A banner on every page while an endpoint is disabled. Names up to `MAX_NAMED` of the disabled endpoints. */
export function WebhookBanner({ initial }: { initial: DisabledEndpoints }) {
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.webhooks.disabled.queryOptions(),
    initialData: initial,
    refetchInterval: POLL_INTERVAL,
  });
  const disabled = query.data;
  if (disabled.length === 0) return null;
  const rest = disabled.length - MAX_NAMED;
  return (
    <Alert
      variant="filled"
      color="red.9"
      mb="lg"
      icon={<IconBan aria-hidden />}
      title={
        disabled.length === 1 ? 'A webhook endpoint is disabled' : `${disabled.length} webhook endpoints are disabled`
      }
    >
      <Stack gap={4}>
        {disabled.slice(0, MAX_NAMED).map(({ application: { id, name }, reason, held }) => (
          <Text key={id} size="sm" c="inherit">
            {name}: {WHY[reason]}. {held === 1 ? '1 event is held' : `${held} events are held`}.{' '}
            <Anchor
              component={Link}
              href={`/applications/${id}/webhook`}
              c="inherit"
              fw={650}
              underline="always"
              inherit
            >
              View {name}’s endpoint
            </Anchor>
          </Text>
        ))}
        {rest > 0 && (
          <Anchor component={Link} href="/" c="inherit" fw={650} underline="always" size="sm">
            {rest} more on the Overview
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}
