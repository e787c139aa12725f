'use client';

import { Anchor, Paper, SimpleGrid, Skeleton, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from '@/app/_components/link';
import { formatCount, plural } from '../../_components/format';
import { formatDuration, formatShare } from '../../requests/_components/format';
import { requestsHref } from '../../requests/_components/query';
import { countChange, errorChange, errorsOf, type Period, requestChange } from './changes';
import type { Traffic } from './types';

type Props = { traffic: Traffic | undefined; period: Period };

const BOOKINGS = { route: '/api/partner/v1/bookings', status: '201' };

/** The figures of a period, each with a link to the requests that it counts. */
export function Figures({ traffic, period }: Props) {
  const totals = traffic?.totals;
  const durations = traffic?.durations;
  const errors = totals ? errorsOf(totals) : 0;
  const about = totals?.estimated ? 'about ' : '';
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Figure
        label="Requests"
        href={requestsHref({ period })}
        value={traffic && (totals ? about + formatCount(totals.requests) : 'Too many to count')}
        note={totals ? `${formatCount(totals.requests - errors)} succeeded` : ''}
        change={traffic && requestChange(traffic, period)}
      />
      <Figure
        label="Error rate"
        href={requestsHref({ period, status: 'error' })}
        value={traffic && (totals ? formatShare(errors, totals.requests) : '–')}
        note={totals ? `${formatCount(totals.client_errors)} refused, ${formatCount(totals.server_errors)} failed` : ''}
        change={traffic && errorChange(traffic, period)}
      />
      <Figure
        label="Duration, p50 / p95"
        href={requestsHref({ period, status: '2xx' })}
        value={traffic && (durations ? formatPair(durations) : '–')}
        note={durations ? `of the latest ${plural(durations.measured, 'request')}` : 'No data'}
      />
      <Figure
        label="Bookings created"
        href={requestsHref({ period, ...BOOKINGS })}
        value={traffic && formatCount(traffic.bookings_made)}
        note="by partners"
        change={traffic && countChange(traffic.bookings_made, traffic.previous.bookings_made, period)}
      />
    </SimpleGrid>
  );
}

/** Formats `p50` and `p95`, such as `12.3 / 45.6 ms`. If both durations have the same unit, the unit appears once. */
function formatPair({ p50, p95 }: NonNullable<Traffic['durations']>): string {
  const [low, high] = [formatDuration(p50), formatDuration(p95)];
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
          {change && <Text size="xs">{change}</Text>}
        </>
      )}
    </Paper>
  );
}
