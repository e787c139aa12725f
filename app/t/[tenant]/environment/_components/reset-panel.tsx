'use client';

import { Button, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { ResetDialog } from './reset-dialog';

type Policy = 'DAILY' | 'ON_DEMAND';

type Props = {
  tenantName: string;
  reset: { policy: Policy; last_reset_at: string | null; time_zone: string };
};

/** The schedule of the TEST resets and a button to reset now. */
export function ResetPanel({ tenantName, reset }: Props) {
  const t = useTranslations('environment.reset');
  const trpc = useTRPC();
  const client = useQueryClient();
  const [asking, { open, close }] = useDisclosure();
  const me = useQuery(trpc.session.me.queryOptions());
  const last = reset.last_reset_at;
  const owner = me.data?.role === 'OWNER';
  const choose = useMutation(
    trpc.environment.set_reset_policy.mutationOptions({
      onSuccess: () => client.invalidateQueries({ queryKey: trpc.environment.get.queryKey() }),
      onError: (error) => notifications.show({ color: 'red', message: error.message }),
    }),
  );
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="resets">
      <Stack>
        <Title order={2} size="h5" id="resets">
          {t('title')}
        </Title>
        <Text size="sm">{t('lead')}</Text>
        <Text size="sm" c="dimmed">
          {last === null ? t('never') : t.rich('last', { time: () => <Time value={last} /> })}
        </Text>
        <Radio.Group
          label={t('schedule')}
          value={reset.policy}
          onChange={(policy) => choose.mutate({ policy: policy as Policy })}
          readOnly={!owner || choose.isPending}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="ON_DEMAND" label={t('manual')} disabled={!owner} />
            <Radio value="DAILY" label={t('daily', { zone: reset.time_zone })} disabled={!owner} />
          </Stack>
        </Radio.Group>
        {owner && (
          <Group>
            <Button color="red" variant="light" onClick={open}>
              {t('open')}
            </Button>
          </Group>
        )}
      </Stack>
      <ResetDialog tenantName={tenantName} opened={asking} close={close} />
    </Paper>
  );
}
