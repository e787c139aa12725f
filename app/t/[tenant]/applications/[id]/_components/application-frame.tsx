'use client';

import { Alert, Button, Group, List, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconClock, IconPlayerPause } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { useFormats } from '@/app/_components/language';
import type { ApplicationDetail } from '../../../_components/api-types';
import { ConfirmDialog } from '../../../_components/dialogs/confirm-dialog';
import { Points, Problem } from '../../../_components/forms/form-end';
import { Id } from '../../../_components/id';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState } from '../../../_components/states';
import { Tabs } from '../../../_components/tabs';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { useDone } from '../../../_components/use-done';
import { requestsHref } from '../../../requests/_components/query';
import styles from '../../_components/applications.module.css';
import { Count } from '../../_components/count';
import { ApplicationState } from '../../_components/state-badge';
import { durationText } from './clock-text';

/** The layout of an application's pages: name, status, figures, and tabs above the content of the page. */
export function ApplicationFrame({ id, canEdit, children }: { id: string; canEdit: boolean; children: ReactNode }) {
  const t = useTranslations('applications.frame');
  const trail = useTrail();
  const trpc = useTRPC();
  const query = useQuery(trpc.applications.get.queryOptions({ application_id: id }));
  const section = useSection();
  if (query.error?.data?.code === 'not_found') return <NotFound />;
  const application = query.data;
  const suspended = application?.suspended_at != null;
  return (
    <>
      <PageHeader
        trail={trail}
        tab={[application?.name ?? t('application'), ...section].join(' · ')}
        title={application?.name ?? <Skeleton height={33} width={260} component="span" display="block" />}
        lead={
          <Group gap="sm" mih={26}>
            {application ? <ApplicationState suspended={suspended} /> : <Skeleton height={22} width={71} radius="xl" />}
            <Id value={id} what={t('applicationId')} />
          </Group>
        }
        actions={
          canEdit &&
          (application ? (
            <SuspendButton application={{ ...application, suspended }} />
          ) : (
            <Skeleton height={36} width={98} radius="md" />
          ))
        }
      />
      <Stack gap="lg">
        {application?.suspended_at && <SuspendedNotice since={application.suspended_at} />}
        {application && application.clock_offset_seconds > 0 && (
          <ClockNotice application={application} canEdit={canEdit} />
        )}
        <Figures application={application} id={id} />
        <Sections id={id} webhook={application?.scopes.includes('webhooks.manage') ?? false} />
        {query.isError ? <ErrorState error={query.error} retry={() => void query.refetch()} /> : children}
      </Stack>
    </>
  );
}

function useTrail() {
  const t = useTranslations('applications.frame');
  return [{ href: '/applications', label: t('applications') }];
}

function useSection(): string[] {
  const t = useTranslations('applications.frame');
  const path = usePathname();
  if (path.endsWith('/keys')) return [t('keys')];
  return path.endsWith('/webhook') ? [t('webhook')] : [];
}

function NotFound() {
  const t = useTranslations('applications.frame');
  return (
    <>
      <PageHeader trail={useTrail()} title={t('notFound')} tab={t('notFound')} />
      <EmptyState title={t('notFoundTitle')}>{t('notFoundText')}</EmptyState>
    </>
  );
}

function SuspendedNotice({ since }: { since: string }) {
  const t = useTranslations('applications.frame');
  return (
    <Alert color="red" icon={<IconPlayerPause aria-hidden />} title={t('suspended')}>
      {t.rich('suspendedText', { time: () => <Time value={since} options={SHORT_TIME} /> })}
    </Alert>
  );
}

function Figures({ application, id }: { application: ApplicationDetail | undefined; id: string }) {
  const t = useTranslations('applications.frame');
  const format = useFormats();
  const last = application?.last_request_at;
  const links = {
    requests: requestsHref({ application: id }),
    errors: requestsHref({ application: id, status: 'error' }),
  };
  return (
    <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
      <Figure label={t('keysInUse')}>{application && format.count(application.keys_in_use)}</Figure>
      <Figure label={t('lastRequest')}>
        {application && (last ? <Time value={last} options={SHORT_TIME} /> : t('never'))}
      </Figure>
      <Figure label={t('requests')}>
        {application && <Count value={application.requests_24h} href={links.requests} of={t('requestsOf')} />}
      </Figure>
      <Figure label={t('errors')}>
        {application && <Count value={application.errors_24h} href={links.errors} of={t('errorsOf')} bad />}
        {application && application.errors_24h > 0 && (
          <Text span size="sm" c="dimmed" ml={6}>
            {format.percent(application.errors_24h / application.requests_24h)}
          </Text>
        )}
      </Figure>
    </SimpleGrid>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Paper withBorder px="md" py="sm" bg="var(--app-surface)" className={styles.figure}>
      <Hint size="xs">{label}</Hint>
      {children === undefined ? (
        <Skeleton height={25} width="60%" />
      ) : (
        <Text fw={600} fz={{ base: 'sm', xs: 'md' }} component="div">
          {children}
        </Text>
      )}
    </Paper>
  );
}

function Sections({ id, webhook }: { id: string; webhook: boolean }) {
  const t = useTranslations('applications.frame');
  const base = `/applications/${id}`;
  const tabs = [
    { href: base, label: t('policy') },
    { href: `${base}/keys`, label: t('keys') },
    ...(webhook ? [{ href: `${base}/webhook`, label: t('webhook') }] : []),
  ];
  return <Tabs label={t('sections')} tabs={tabs} />;
}

type Props = { application: Pick<ApplicationDetail, 'id' | 'clock_offset_seconds'>; canEdit: boolean };

function ClockNotice({ application: { id, clock_offset_seconds: offset }, canEdit }: Props) {
  const t = useTranslations('applications.clock');
  const units = useTranslations('applications.clock.units');
  const trpc = useTRPC();
  const done = useDone(trpc.applications);
  const reset = useMutation(
    trpc.applications.reset_clock.mutationOptions({
      onSuccess: () => done(t('reset')),
    }),
  );
  return (
    <Alert
      color="yellow"
      icon={<IconClock aria-hidden />}
      title={t('title', { duration: durationText(units, offset) })}
    >
      <Group gap="md" justify="space-between">
        <Text size="sm" maw={720}>
          {t('text')}
        </Text>
        {canEdit && (
          <Button variant="default" loading={reset.isPending} onClick={() => reset.mutate({ application_id: id })}>
            {t('back')}
          </Button>
        )}
      </Group>
      <Problem error={reset.error} />
    </Alert>
  );
}

type Target = { id: string; name: string; suspended: boolean; keys_in_use: number };

function SuspendButton({ application }: { application: Target }) {
  const [opened, { open, close }] = useDisclosure();
  const trpc = useTRPC();
  const done = useDone(trpc.applications);
  const { id, name, suspended } = application;
  const t = useTranslations(`applications.${suspended ? 'resume' : 'suspend'}`);
  const change = useMutation(
    trpc.applications.set_suspended.mutationOptions({
      onSuccess: () => {
        close();
        return done(t('done', { name }));
      },
    }),
  );
  return (
    <>
      <Button variant="default" aria-label={t('label', { name })} onClick={open}>
        {t('verb')}
      </Button>
      <ConfirmDialog
        title={t('title', { name })}
        opened={opened}
        onClose={close}
        action={t('action')}
        danger={!suspended}
        change={change}
        onConfirm={() => change.mutate({ application_id: id, suspended: !suspended })}
      >
        {suspended ? <ResumeEffects application={application} /> : <SuspendEffects application={application} />}
      </ConfirmDialog>
    </>
  );
}

function SuspendEffects({ application }: { application: Target }) {
  const t = useTranslations('applications.suspend');
  return (
    <>
      <Points of="changes" points={[t('refused', { count: application.keys_in_use }), t('webhooks')]} />
      <Points of="stays" points={[t('bookings'), t('policy'), t('anyTime')]} />
    </>
  );
}

function ResumeEffects({ application }: { application: Target }) {
  const t = useTranslations('applications.resume');
  return (
    <List size="sm" spacing={4}>
      <List.Item>{t('keys', { count: application.keys_in_use })}</List.Item>
      <List.Item>{t('webhooks')}</List.Item>
      <List.Item>{t('others')}</List.Item>
    </List>
  );
}
