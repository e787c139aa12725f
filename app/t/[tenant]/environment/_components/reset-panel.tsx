'use client';

import { Button, Group, Paper, Radio, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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
  const trpc = useTRPC();
  const client = useQueryClient();
  const [asking, { open, close }] = useDisclosure();
  const me = useQuery(trpc.session.me.queryOptions());
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
          Sandbox resets
        </Title>
        <Text size="sm">
          A reset restores the synthetic catalog and deletes all bookings, events, and deliveries. Applications, keys,
          webhook endpoints, members, and the request log are kept.
        </Text>
        <Text size="sm" c="dimmed">
          Last reset: {reset.last_reset_at ? <Time value={reset.last_reset_at} /> : 'never'}
        </Text>
        <Radio.Group
          label="Schedule"
          value={reset.policy}
          onChange={(policy) => choose.mutate({ policy: policy as Policy })}
          readOnly={!owner || choose.isPending}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="ON_DEMAND" label="Manual only" disabled={!owner} />
            <Radio value="DAILY" label={`Daily at 03:00 (${reset.time_zone})`} disabled={!owner} />
          </Stack>
        </Radio.Group>
        {owner && (
          <Group>
            <Button color="red" variant="light" onClick={open}>
              Reset sandbox…
            </Button>
          </Group>
        )}
      </Stack>
      <ResetDialog tenantName={tenantName} opened={asking} close={close} />
    </Paper>
  );
}
