'use client';

import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Outputs } from '../../../../../_components/api-types';
import { Dialog } from '../../../../../_components/dialogs/dialog';
import { SHORT_TIME } from '../../../../../_components/time/moments';
import { Time } from '../../../../../_components/time/time';
import { useTRPC } from '../../../../../_components/trpc';
import { AddFile } from './add-file';
import { Criteria } from './criteria';
import { runText, scoreText } from './words';

type State = Outputs['readiness']['get'];
type InTest = Extract<State, { environment: 'TEST' }>;
type InLive = Extract<State, { environment: 'LIVE' }>;
type Props = { applicationId: string; canEdit: boolean };

/** What an application has shown in TEST, before it gets a key of LIVE (contract B21). */
export function ReadinessSection({ applicationId, canEdit }: Props) {
  const t = useTranslations('applications.readiness');
  const trpc = useTRPC();
  // A failed query needs no error message here, because the list of keys works without it.
  const { data } = useQuery(trpc.readiness.get.queryOptions({ application_id: applicationId }));
  if (!data) return null;
  return (
    <Paper component="section" withBorder p="md" bg="var(--app-surface)" aria-labelledby="readiness">
      <Stack gap="sm">
        <Title order={2} size="h5" id="readiness">
          {t('title')}
        </Title>
        {data.environment === 'TEST' ? (
          <Score state={data} />
        ) : (
          <File state={data} applicationId={applicationId} canEdit={canEdit} />
        )}
      </Stack>
    </Paper>
  );
}

function Score({ state: { readiness, certificate } }: { state: InTest }) {
  const t = useTranslations('applications.readiness');
  const download = `data:application/jose;charset=utf-8,${certificate}`;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" maw={720}>
          {t('scoreLead', { score: scoreText(t, readiness) })}
        </Text>
        <Button
          component="a"
          href={download}
          download={`readiness-${readiness.application.id}.jws`}
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          {t('download')}
        </Button>
      </Group>
      <Criteria readiness={readiness} links />
      <Text size="sm" c="dimmed">
        {runText(t, readiness.conformance)}
      </Text>
    </>
  );
}

function File({ state, applicationId, canEdit }: Props & { state: InLive }) {
  const t = useTranslations('applications.readiness');
  const [opened, setOpened] = useState(false);
  const { accepted, can_check } = state;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" maw={720}>
          {accepted
            ? t.rich('added', { time: () => <Time value={accepted.added_at} options={SHORT_TIME} /> })
            : t('none')}
        </Text>
        {canEdit && can_check && (
          <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={() => setOpened(true)}>
            {accepted ? t('replace') : t('add')}
          </Button>
        )}
      </Group>
      {!can_check && (
        <Text size="sm" c="dimmed">
          {t('cannotCheck')}
        </Text>
      )}
      {accepted?.problem && (
        <Alert color="yellow" role="alert">
          {t('storedProblem', { problem: accepted.problem })}
        </Alert>
      )}
      {accepted?.readiness && <Accepted readiness={accepted.readiness} business={state.business} />}
      <Dialog opened={opened} onClose={() => setOpened(false)} size="lg" title={t('add')}>
        <AddFile applicationId={applicationId} onClose={() => setOpened(false)} />
      </Dialog>
    </>
  );
}

function Accepted({ readiness, business }: { readiness: InTest['readiness']; business: string }) {
  const t = useTranslations('applications.readiness');
  const { host, issued_at, expires_at } = readiness;
  return (
    <>
      <Text size="sm" fw={600}>
        {scoreText(t, readiness)}
      </Text>
      <Criteria readiness={readiness} links={false} />
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {runText(t, readiness.conformance)}{' '}
        {t.rich('signed', {
          host,
          business: readiness.business,
          issued: () => <Time value={issued_at} options={SHORT_TIME} />,
          expires: () => <Time value={expires_at} options={SHORT_TIME} />,
        })}
        {readiness.business !== business && ` ${t('otherName')}`}
      </Text>
    </>
  );
}
