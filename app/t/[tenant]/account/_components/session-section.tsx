'use client';

import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import type { OwnSession } from '../../_components/api-types';
import { Problem } from '../../_components/forms/form-end';
import { Panel } from '../../_components/panel';
import { NotLoaded } from '../../_components/states';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { useTRPC } from '../../_components/trpc';
import { useDone } from '../../_components/use-done';
import { StateBadge } from '../../applications/_components/state-badge';

/** The browsers in which the user is signed in, with buttons that sign out the others. */
export function SessionSection({ withPassword }: { withPassword: boolean }) {
  const t = useTranslations('account.sessions');
  const trpc = useTRPC();
  const loaded = useQuery(trpc.session.list.queryOptions());
  const { data, error } = loaded;
  const { end, endOthers } = useSessionEnd();
  return (
    <Panel title={t('title')}>
      <Hint>{withPassword ? t('text') : t('textProvider')}</Hint>
      {(error || !data) && <NotLoaded query={loaded} rows={2} />}
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
            {t('signOutOthers')}
          </Button>
        </Group>
      )}
    </Panel>
  );
}

function useSessionEnd() {
  const t = useTranslations('account.sessions');
  const trpc = useTRPC();
  const done = useDone(trpc.session);
  const after = (message: string) => () => done(message);
  // If the session has just ended by itself, the list is out of date.
  const onError = () => done();
  return {
    end: useMutation(trpc.session.end.mutationOptions({ onSuccess: after(t('ended')), onError })),
    endOthers: useMutation(trpc.session.end_others.mutationOptions({ onSuccess: after(t('othersEnded')) })),
  };
}

type LineProps = { session: OwnSession; busy: boolean; onEnd: () => void };

function Line({ session, busy, onEnd }: LineProps) {
  const t = useTranslations('account.sessions');
  const { browser, network, started_at, last_used_at, current } = session;
  const name = browser ?? t('unknown');
  return (
    <Group component="li" justify="space-between" wrap="nowrap" align="flex-start">
      <Box flex={1} miw={0}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Hint>
          {t.rich(current ? 'started' : 'startedUsed', {
            time: () => <Time value={started_at} options={SHORT_TIME} />,
            used: () => <Time value={last_used_at} options={SHORT_TIME} />,
          })}
        </Hint>
        {network && (
          <Hint size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {network}
          </Hint>
        )}
      </Box>
      {current ? (
        <Box flex="none">
          <StateBadge tone="good">{t('this')}</StateBadge>
        </Box>
      ) : (
        <Button
          variant="default"
          size="compact-sm"
          style={{ flex: 'none' }}
          aria-label={t('signOutNamed', { name: network ? `${name}, ${network}` : name })}
          loading={busy}
          onClick={onEnd}
        >
          {t('signOut')}
        </Button>
      )}
    </Group>
  );
}
