'use client';

import { Box, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnSession } from '../../_components/api-types';
import { Problem } from '../../_components/forms/form-end';
import { ErrorState, LoadingRows } from '../../_components/states';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { StateBadge } from '../../applications/_components/state-badge';

/** The browsers in which the user is signed in, with buttons that sign out the others. */
export function SessionSection({ withPassword }: { withPassword: boolean }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.session.list.queryOptions());
  const { end, endOthers } = useSessionEnd();
  return (
    <Paper component="section" withBorder p="md" maw={520} bg="var(--app-surface)" aria-label="Sessions">
      <Stack>
        <Title order={2} size="h5">
          Sessions
        </Title>
        <Text size="sm" c="dimmed">
          The browsers in which you are signed in. If you do not recognize one, sign it out
          {withPassword ? ' and change your password' : ' and tell the people who run your single sign-on'}.
        </Text>
        {error && <ErrorState error={error} retry={() => void refetch()} />}
        {!data && !error && <LoadingRows rows={2} height={44} />}
        <Problem error={end.error ?? endOthers.error} />
        {data && (
          <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
            {data.map((session) => (
              <Line
                key={session.id}
                session={session}
                busy={end.isPending && end.variables.session_id === session.id}
                onEnd={() => end.mutate({ session_id: session.id })}
              />
            ))}
          </Stack>
        )}
        {data && data.length > 1 && (
          <Group justify="flex-end">
            <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate()}>
              Sign out everywhere else
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function useSessionEnd() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const after = (message: string) => () => {
    notifications.show({ message });
    return queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
  };
  // If the session has just ended by itself, the list is out of date.
  const onError = () => queries.invalidateQueries({ queryKey: trpc.session.list.queryKey() });
  return {
    end: useMutation(trpc.session.end.mutationOptions({ onSuccess: after('Session signed out.'), onError })),
    endOthers: useMutation(
      trpc.session.end_others.mutationOptions({ onSuccess: after('Signed out everywhere else.') }),
    ),
  };
}

type LineProps = { session: OwnSession; busy: boolean; onEnd: () => void };

function Line({ session, busy, onEnd }: LineProps) {
  const { browser, network, started_at, last_used_at, current } = session;
  const name = browser ?? 'Unknown browser';
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <Box flex={1} miw={0}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          Started <Time value={started_at} options={SHORT_TIME} />
          {!current && (
            <>
              , last used <Time value={last_used_at} options={SHORT_TIME} />
            </>
          )}
        </Text>
        {network && (
          <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {network}
          </Text>
        )}
      </Box>
      {current ? (
        <Box flex="none">
          <StateBadge tone="good">This session</StateBadge>
        </Box>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          style={{ flex: 'none' }}
          aria-label={`Sign out ${name}${network ? `, ${network}` : ''}`}
          loading={busy}
          onClick={onEnd}
        >
          Sign out
        </Button>
      )}
    </Group>
  );
}
