'use client';

import { Alert, Group, Paper, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import type { ApplicationDetail } from '../../../_components/api-types';
import { Id } from '../../../_components/id';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState } from '../../../_components/states';
import { Tabs } from '../../../_components/tabs';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { requestsHref } from '../../../requests/_components/query';
import styles from '../../_components/applications.module.css';
import { Count } from '../../_components/count';
import { ApplicationState } from '../../_components/state-badge';
import { SuspendButton } from '../../_components/suspend-button';
import { ClockNotice } from './clock-notice';

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

/**
 * Returns the name of the current section for the tab title, in an array. The array is empty for the first section,
 * because the tab title omits the name of that section.
 */
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
      <Text size="xs" c="dimmed">
        {label}
      </Text>
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
