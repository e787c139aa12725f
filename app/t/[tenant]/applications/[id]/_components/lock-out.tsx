'use client';

import { Alert, List, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { TextLink } from '@/app/_components/link';
import type { PolicyPreview } from '../../../_components/api-types';
import { ErrorState } from '../../../_components/states';
import { SHORT_TIME } from '../../../_components/time/moments';
import { Time } from '../../../_components/time/time';
import { useTRPC } from '../../../_components/trpc';
import { requestHref } from '../../../requests/_components/query';

type Refused = PolicyPreview['refusals'][number];

type Props = {
  preview: { data: PolicyPreview | undefined; error: Parameters<typeof ErrorState>[0]['error'] };
  retry: () => void;
};

/** Returns whether a new policy would have refused requests that the current policy allowed. */
export function refusesAny({ refused, quota }: PolicyPreview): boolean {
  return refused > 0 || quota !== null;
}

/** The effect of a new policy: which requests from the last 24 hours the policy would have refused, and why. */
export function LockOut({ preview: { data, error }, retry }: Props) {
  const t = useTranslations('applications.lockOut');
  if (error) return <ErrorState error={error} retry={retry} />;
  if (!data) {
    return (
      <Stack gap={6} role="status" aria-label={t('checking')}>
        <Skeleton height={72} />
      </Stack>
    );
  }
  if (refusesAny(data)) return <Warning preview={data} />;
  return data.unknown > 0 ? <Unsure preview={data} /> : <Harmless preview={data} />;
}

type Judged = { preview: PolicyPreview };

function Harmless({ preview: { seen } }: Judged) {
  const t = useTranslations('applications.lockOut');
  return (
    <Alert color="green" icon={<IconCircleCheck aria-hidden />} role="status">
      {seen === 0 ? t('noneSeen') : t('harmless', { count: seen })}
    </Alert>
  );
}

/** Appears if the policy would have refused none of the checked requests, but some requests could not be checked. */
function Unsure({ preview: { seen, unknown } }: Judged) {
  const t = useTranslations('applications.lockOut');
  return (
    <Alert color="yellow" icon={<IconHelpCircle aria-hidden />} role="status">
      {t('unknown', { count: unknown })}
      {seen > unknown && ` ${t('others', { count: seen - unknown })}`}
    </Alert>
  );
}

function Warning({ preview }: Judged) {
  const t = useTranslations('applications.lockOut');
  const { refused, checked, seen, unknown, refusals, quota } = preview;
  return (
    <Alert
      color="red"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={refused > 0 ? t('refused', { refused, checked }) : t('belowPeak')}
    >
      <Stack gap="sm">
        {refusals.map((one) => (
          <Reason key={one.reason} refused={one} />
        ))}
        {quota && <Quota quota={quota} />}
        {unknown > 0 && <Text size="xs">{t('unknown', { count: unknown })}</Text>}
        {checked < seen && <Text size="xs">{t('partly', { checked, seen })}</Text>}
      </Stack>
    </Alert>
  );
}

function Reason({ refused: { reason, count, groups, more } }: { refused: Refused }) {
  const t = useTranslations('applications.lockOut');
  const trpc = useTRPC();
  const locations = useQuery({ ...trpc.locations.list.queryOptions(), enabled: reason === 'location' });
  const nameOf = (what: string | null) => {
    if (what === null) return t(`${reason}.missing`);
    return reason === 'location' ? (locations.data?.find(({ id }) => id === what)?.name ?? what) : what;
  };
  return (
    <div>
      <Text size="sm" fw={600}>
        {t(`${reason}.text`, { count })}
      </Text>
      <List size="sm" spacing={2}>
        {groups.map(({ what, count: times, request_id: id }) => (
          <List.Item key={what ?? ''} style={{ overflowWrap: 'anywhere' }}>
            {t.rich('group', { what: nameOf(what), count: times, example: () => <Example id={id} /> })}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{t('more', { count: more })}</List.Item>}
      </List>
    </div>
  );
}

function Quota({ quota }: { quota: NonNullable<PolicyPreview['quota']> }) {
  const t = useTranslations('applications.lockOut');
  return (
    <Text size="sm">
      {t.rich('quota', {
        minutes: quota.minutes,
        excess: quota.excess,
        peak: quota.peak,
        time: () => <Time value={quota.peak_at} options={SHORT_TIME} />,
        example: () => <Example id={quota.request_id} />,
      })}
    </Text>
  );
}

function Example({ id }: { id: string }) {
  return (
    <TextLink href={requestHref(id)} target="_blank" inherit c="inherit" td="underline">
      {id}
    </TextLink>
  );
}
