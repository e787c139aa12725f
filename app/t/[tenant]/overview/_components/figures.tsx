'use client';

import { Anchor, Paper, SimpleGrid, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { Formats } from '@/lib/platform/text/formats';
import { formatDuration, formatShare } from '../../requests/_components/format';
import { requestsHref } from '../../requests/_components/query';
import { countChange, errorChange, errorsOf, type Period, requestChange } from './changes';
import type { Traffic } from './types';

type Props = { traffic: Traffic | undefined; period: Period };

const BOOKINGS = { route: '/api/partner/v1/bookings', status: '201' };

/** The figures of a period, each with a link to the requests that it counts. */
export function Figures({ traffic, period }: Props) {
  const t = useTranslations('overview.figures');
  const changes = useTranslations('overview.changes');
  const format = useFormats();
  const totals = traffic?.totals;
  const durations = traffic?.durations;
  const errors = totals ? errorsOf(totals) : 0;
  const requests = totals && format.count(totals.requests);
  const made = traffic && { now: traffic.bookings_made, before: traffic.previous.bookings_made };
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure
        label={t('requests')}
        href={requestsHref({ period })}
        value={traffic && (requests ? (totals.estimated ? t('about', { count: requests }) : requests) : t('tooMany'))}
        note={totals ? t('succeeded', { count: format.count(totals.requests - errors) }) : ''}
        change={traffic && requestChange(changes, format, traffic, period)}
      />
      <Figure
        label={t('errorRate')}
        href={requestsHref({ period, status: 'error' })}
        value={traffic && (totals ? formatShare(errors, totals.requests, format) : '–')}
        note={
          totals
            ? t('errors', { refused: format.count(totals.client_errors), failed: format.count(totals.server_errors) })
            : ''
        }
        change={traffic && errorChange(changes, format, traffic, period)}
      />
      <Figure
        label={t('duration')}
        href={requestsHref({ period, status: '2xx' })}
        value={traffic && (durations ? formatPair(format, durations) : '–')}
        note={durations ? t('latest', { count: durations.measured }) : t('noData')}
      />
      <Figure
        label={t('bookings')}
        href={requestsHref({ period, ...BOOKINGS })}
        value={traffic && format.count(traffic.bookings_made)}
        note={t('byPartners')}
        change={made && countChange(changes, format, made, period)}
      />
    </SimpleGrid>
  );
}

/** Formats `p50` and `p95`, such as `12.3 / 45.6 ms`. If both durations have the same unit, the unit appears once. */
function formatPair(format: Formats, { p50, p95 }: NonNullable<Traffic['durations']>): string {
  const [low, high] = [formatDuration(p50, format), formatDuration(p95, format)];
  const unit = high.slice(high.indexOf(' '));
  return `${low.endsWith(unit) ? low.slice(0, -unit.length) : low} / ${high}`;
}

type FigureProps = {
  label: string;
  href: string;
  value: ReactNode | undefined;
  note: string;
  /** The change from the previous period, in words. Empty if the change is unknown. */
  change?: string | undefined;
};

function Figure({ label, href, value, note, change }: FigureProps) {
  return (
    <Paper withBorder p="md" bg="var(--app-surface)" mih={{ base: 141, md: 127 }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      {value === undefined ? (
        <Skeleton height={24} width="60%" mt={8} />
      ) : (
        <>
          <Anchor
            component={Link}
            href={href}
            fz={{ base: 16, sm: 22 }}
            fw={650}
            c="var(--mantine-color-text)"
            underline="hover"
          >
            {value}
            <VisuallyHidden> {label}</VisuallyHidden>
          </Anchor>
          <Text size="xs" c="dimmed">
            {note}
          </Text>
          {change && (
            <Text size="xs" c="dimmed">
              {change}
            </Text>
          )}
        </>
      )}
    </Paper>
  );
}
