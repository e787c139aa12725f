'use client';

import { Alert, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { TextLink } from '@/app/_components/link';
import type { DisabledEndpoints } from '../api-types';
import { useTRPC } from '../trpc';

const POLL_MS = 15_000;
/** Maximum number of endpoints that the banner lists. The Overview lists all disabled endpoints. */
const MAX_NAMED = 3;

/** A banner on every page while an endpoint is disabled. Names up to `MAX_NAMED` of the disabled endpoints. */
export function WebhookBanner({ initial }: { initial: DisabledEndpoints }) {
  const t = useTranslations('shell.webhookBanner');
  const trpc = useTRPC();
  const query = useQuery({
    ...trpc.webhooks.disabled.queryOptions(),
    initialData: initial,
    refetchInterval: POLL_MS,
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
      title={t('title', { count: disabled.length })}
    >
      <Stack gap={4}>
        {disabled.slice(0, MAX_NAMED).map(({ application: { id, name }, reason, held }) => (
          <Text key={id} size="sm" c="inherit">
            {t.rich(reason, {
              name,
              held,
              link: (chunks) => (
                <TextLink href={`/applications/${id}/webhook`} c="inherit" fw={650} underline="always" inherit>
                  {chunks}
                </TextLink>
              ),
            })}
          </Text>
        ))}
        {rest > 0 && (
          <TextLink href="/" c="inherit" fw={650} underline="always">
            {t('more', { count: rest })}
          </TextLink>
        )}
      </Stack>
    </Alert>
  );
}
