'use client';

import { Alert, Badge, Button, Group, Stack, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { TextLink } from '@/app/_components/link';
import type { Outputs } from '../../../../../_components/api-types';
import { Dialog } from '../../../../../_components/dialogs/dialog';
import { FileChoice } from '../../../../../_components/forms/file-choice';
import { FormEnd, Problem } from '../../../../../_components/forms/form-end';
import { Panel } from '../../../../../_components/panel';
import { SHORT_TIME } from '../../../../../_components/time/moments';
import { Time } from '../../../../../_components/time/time';
import { useTRPC } from '../../../../../_components/trpc';
import { useDone } from '../../../../../_components/use-done';
import { requestHref } from '../../../../../requests/_components/query';
import { COLORS, runText, type Score, scoreText } from './words';

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
    <Panel title={t('title')} gap="sm">
      {data.environment === 'TEST' ? (
        <Result state={data} />
      ) : (
        <File state={data} applicationId={applicationId} canEdit={canEdit} />
      )}
    </Panel>
  );
}

function Result({ state: { readiness, certificate } }: { state: InTest }) {
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
      <Hint>{runText(t, readiness.conformance)}</Hint>
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
      {!can_check && <Hint>{t('cannotCheck')}</Hint>}
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
      <Hint style={{ overflowWrap: 'anywhere' }}>
        {runText(t, readiness.conformance)}{' '}
        {t.rich('signed', {
          host,
          business: readiness.business,
          issued: () => <Time value={issued_at} options={SHORT_TIME} />,
          expires: () => <Time value={expires_at} options={SHORT_TIME} />,
        })}
        {readiness.business !== business && ` ${t('otherName')}`}
      </Hint>
    </>
  );
}

function Criteria({ readiness, links }: { readiness: Score; links: boolean }) {
  const t = useTranslations('applications.readiness');
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('criteria')}>
      {readiness.criteria.map((one) => (
        <Group component="li" key={one.criterion} gap="sm" wrap="nowrap" align="flex-start">
          <Badge color={COLORS[one.state]} variant="light" tt="none" miw={72} flex="none">
            {t(one.state)}
          </Badge>
          <div>
            <Text size="sm">{t(`criterion.${one.criterion}.title`)}</Text>
            <Hint size="xs">
              {one.state === 'not_yet' && t(`criterion.${one.criterion}.todo`)}
              {one.state === 'failed' && `${t(`criterion.${one.criterion}.failed`)} `}
              {one.at !== null && <Time value={one.at} options={SHORT_TIME} />}
              {links && one.request_id !== null && (
                <>
                  {' · '}
                  <TextLink href={requestHref(one.request_id)} inherit underline="always">
                    {t('viewRequest')}
                    <VisuallyHidden>: {t(`criterion.${one.criterion}.title`)}</VisuallyHidden>
                  </TextLink>
                </>
              )}
            </Hint>
          </div>
        </Group>
      ))}
    </Stack>
  );
}

function AddFile({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const t = useTranslations('applications.readiness');
  const trpc = useTRPC();
  const done = useDone(trpc.readiness);
  const [file, setFile] = useState('');
  const add = useMutation(
    trpc.readiness.add.mutationOptions({
      onSuccess: () => {
        onClose();
        return done(t('fileAdded'));
      },
    }),
  );
  const [field] = add.error?.data?.fields ?? [];
  return (
    <Stack>
      <Text size="sm">{t('addHelp')}</Text>
      <FileChoice accept=".jws,.txt" maxMib={1} onText={setFile} />
      <Textarea
        label={t('file')}
        rows={5}
        value={file}
        onChange={(event) => setFile(event.currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
      />
      <Problem error={field ? t('fileProblem', { problem: field.message }) : add.error} />
      <FormEnd
        verb={t('addFile')}
        busy={add.isPending}
        disabled={file.trim() === ''}
        onCancel={onClose}
        onGo={() => add.mutate({ application_id: applicationId, file })}
      />
    </Stack>
  );
}
