'use client';

import { Anchor, Group, Paper, Skeleton, Stack, Text, ThemeIcon } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarDue,
  IconCalendarExclamation,
  IconCalendarOff,
  IconCircleCheck,
  IconCoins,
  IconKey,
  IconPlayerPause,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react';
import { Fragment, type ReactNode } from 'react';
import { Link } from '@/app/_components/link';
import type { DisabledEndpoints } from '../../_components/api-types';
import { formatCount, plural } from '../../_components/format';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { successRate } from '../../applications/[id]/webhook/_components/words';
import { formatDate } from '../../bookings/_components/format';
import { OFFERED_BY } from '../../catalog/_components/offers';
import { formatShare } from '../../requests/_components/format';
import { requestsHref } from '../../requests/_components/query';
import type { Attention, Bookability, OutsideAtLocation, WebhookHealth } from './types';

type Props = {
  attention: Attention | undefined;
  disabled: DisabledEndpoints | undefined;
  endpoints: WebhookHealth | undefined;
  outside: OutsideAtLocation[] | undefined;
  bookability: Bookability | undefined;
};

type Remedy = { because: string; action: (name: string) => string; href: (id: string) => string };

const PREVIEW = {
  action: (name: string) => `Preview the times of ${name}`,
  href: (id: string) => `/catalog/preview?service=${id}`,
};

const UNBOOKABLE: Record<Bookability['services'][number]['reason'], Remedy> = {
  unoffered: {
    because: 'no published specialist offers it at a published location',
    action: (name) => `Add who offers ${name}`,
    href: (id) => `/catalog/services/${id}#${OFFERED_BY}`,
  },
  no_opening_hours: {
    because: 'the locations where it is offered are closed',
    action: () => 'View locations',
    href: () => '/catalog/locations',
  },
  no_working_hours: {
    because: 'nobody who offers it works during the opening hours',
    action: () => 'View specialists',
    href: () => '/catalog/specialists',
  },
  hours_too_short: { because: 'no working hours have room for it within its booking rules', ...PREVIEW },
  taken: { because: 'all times are booked or blocked', ...PREVIEW },
};

/** Lists the items that need attention, each with a link. If no items need attention, says so. */
export function AttentionList({ attention, disabled, endpoints, outside, bookability }: Props) {
  if (!attention || !disabled || !endpoints || !outside) return <Skeleton height={62} radius="md" />;
  const {
    overlaps,
    overlap_total,
    busy_conflicts,
    busy_conflict_total,
    unreadable_calendars,
    failing_applications,
    expiring_keys,
    suspended_applications,
    invalid_prices,
  } = attention;
  const unbookable = bookability?.services ?? [];
  const failing = endpoints.filter((endpoint) => endpoint.failing);
  const lists = [
    overlaps,
    busy_conflicts,
    unreadable_calendars,
    failing_applications,
    expiring_keys,
    suspended_applications,
    invalid_prices,
    disabled,
    failing,
    outside,
    unbookable,
  ];
  if (lists.every(({ length }) => length === 0)) {
    return (
      <Item icon={IconCircleCheck} color="green">
        Nothing needs attention. No keys are about to expire, no applications are failing or suspended, no webhooks are
        failing or disabled, no appointments overlap, every published service can be booked in the next 14 days, and the
        next bookings match the opening hours, working hours, and catalog.
      </Item>
    );
  }
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {overlaps.map((overlap) => (
        <OverlapItem key={overlap.bookings.map(({ reference }) => reference).join()} overlap={overlap} />
      ))}
      {overlap_total > overlaps.length && (
        <Item icon={IconCalendarDue} color="red" inList>
          These are the next {overlaps.length} of {formatCount(overlap_total)} pairs of appointments that overlap.
          Reschedule or cancel these to see the others.
        </Item>
      )}
      {busy_conflicts.map(({ reference, date, start_time, service, specialist, calendar }) => (
        <Item key={`busy-${reference}`} icon={IconCalendarDue} color="red" inList>
          {specialist} has an appointment at a time at which {calendar === null ? 'an own system' : calendar} is busy.
          It remains confirmed until you reschedule or cancel it:{' '}
          <Go href={`/bookings/${reference}`}>
            {service}, {formatDate(date)}, {start_time}
          </Go>
          .
        </Item>
      ))}
      {busy_conflict_total > busy_conflicts.length && (
        <Item icon={IconCalendarDue} color="red" inList>
          These are the next {busy_conflicts.length} of {formatCount(busy_conflict_total)} appointments at busy times.
        </Item>
      )}
      {unreadable_calendars.map(({ id, name, whose, specialist_id, location_id, since, block_when_stale }) => (
        <Item key={id} icon={IconCalendarExclamation} color="orange" inList>
          {whose}: the calendar {name} could not be read since <Time value={since} options={SHORT_TIME} />.{' '}
          {block_when_stale
            ? 'After 24 hours, all time counts as busy.'
            : 'The times that were read last keep counting.'}{' '}
          <Go href={specialist_id ? `/catalog/specialists/${specialist_id}` : `/catalog/locations/${location_id}`}>
            Open {whose}
          </Go>
        </Item>
      ))}
      {outside.map((one) => (
        <OutsideItem key={`outside-${one.location.id}`} outside={one} />
      ))}
      {unbookable.map(({ id, name, reason }) => (
        <Item key={`unbookable-${id}`} icon={IconCalendarOff} color="orange" inList>
          {name}: published, but no bookable time in the next 14 days, because {UNBOOKABLE[reason].because}.{' '}
          <Go href={UNBOOKABLE[reason].href(id)}>{UNBOOKABLE[reason].action(name)}</Go>
        </Item>
      ))}
      {bookability && bookability.total > unbookable.length && (
        <Item icon={IconCalendarOff} color="orange" inList>
          These are the first {unbookable.length} of {formatCount(bookability.total)} services without a bookable time.
        </Item>
      )}
      {disabled.map(({ application, reason, disabled_at, held }) => (
        <Item key={`webhook-${application.id}`} icon={IconWebhook} color="red" inList>
          {application.name}: webhook disabled on <Time value={disabled_at} options={SHORT_TIME} /> because{' '}
          {reason === 'gone' ? 'the receiver responded with 410 Gone' : 'no delivery succeeded for 120 hours'}.{' '}
          {plural(held, 'event')} held.{' '}
          <Go href={`/applications/${application.id}/webhook`}>Open webhook for {application.name}</Go>
        </Item>
      ))}
      {failing.map((endpoint) => (
        <Item key={`failing-${endpoint.application.id}`} icon={IconWebhook} color="red" inList>
          {endpoint.application.name}: {failureOf(endpoint)}{' '}
          {endpoint.secret_unreadable ? (
            <Go href={`/applications/${endpoint.application.id}/webhook`}>
              Rotate the secret of {endpoint.application.name}
            </Go>
          ) : (
            <Go href={webhookHref(endpoint.application.id)}>View deliveries for {endpoint.application.name}</Go>
          )}
        </Item>
      ))}
      {failing_applications.map(({ id, name, requests, errors }) => (
        <Item key={id} icon={IconAlertTriangle} color="red" inList>
          {name}: {formatShare(errors, requests)} of requests got an error response in the last 24 hours (
          {formatCount(errors)} of {formatCount(requests)}).{' '}
          <Go href={requestsHref({ application: id, status: 'error' })}>View errors</Go>
        </Item>
      ))}
      {invalid_prices.map(({ id, name, currency }) => (
        <Item key={`price-${id}`} icon={IconCoins} color="orange" inList>
          {name}: the price is in {currency}, which is not a current currency of ISO 4217. Partners still get this
          price. <Go href={`/catalog/services/${id}`}>Correct the price of {name}</Go>
        </Item>
      ))}
      {expiring_keys.map(({ id, name, last_four, ends_at, application }) => (
        <Item key={id} icon={IconKey} color="orange" inList>
          {application.name}: key {name} (…{last_four}) expires on <Time value={ends_at} options={SHORT_TIME} />.{' '}
          <Go href={`/applications/${application.id}/keys`}>Rotate key {name}</Go>
        </Item>
      ))}
      {suspended_applications.map(({ id, name, suspended_at }) => (
        <Item key={id} icon={IconPlayerPause} color="gray" inList>
          {name}: suspended on <Time value={suspended_at} options={SHORT_TIME} />. Its requests are refused.{' '}
          <Go href={`/applications/${id}`}>Open {name}</Go>
        </Item>
      ))}
    </Stack>
  );
}

function OverlapItem({ overlap: { specialist, bookings } }: { overlap: Attention['overlaps'][number] }) {
  return (
    <Item icon={IconCalendarDue} color="red" inList>
      {specialist} has two appointments at the same time, because the rules of a time zone changed. Both remain
      confirmed until you reschedule or cancel one of them:{' '}
      {bookings.map(({ reference, service, date, start_time }, index) => (
        <Fragment key={reference}>
          {index > 0 && ' or '}
          <Go href={`/bookings/${reference}`}>
            {service}, {formatDate(date)}, {start_time}
          </Go>
        </Fragment>
      ))}
      .
    </Item>
  );
}

function OutsideItem({ outside: { location, bookings, date, start_time } }: { outside: OutsideAtLocation }) {
  const match = bookings === 1 ? 'no longer matches' : 'no longer match';
  return (
    <Item icon={IconCalendarExclamation} color="orange" inList>
      {location.name}: {plural(bookings, 'future booking')} {match} the opening hours, working hours, or catalog.{' '}
      {bookings === 1 ? 'It' : 'The first one'} starts on {formatDate(date)}, {start_time}.{' '}
      <Go href={`/catalog/locations/${location.id}`}>View bookings at {location.name}</Go>
    </Item>
  );
}

/** States why an endpoint is failing: because its secret cannot be decrypted, many of its attempts failed, or because its last attempt failed. */
function failureOf(endpoint: WebhookHealth[number]) {
  const { low_success, attempts_24h: attempts, succeeded_24h: succeeded } = endpoint;
  const figures = `${successRate(endpoint)} of webhook attempts succeeded in the last 24 hours (${formatCount(succeeded)} of ${formatCount(attempts)}).`;
  if (endpoint.secret_unreadable)
    return 'webhooks are not sent, because the secret of the endpoint cannot be decrypted. Rotate the secret, and give the new one to the partner.';
  if (low_success) return `only ${figures}`;
  return `the last webhook attempt failed.${attempts === 0 ? '' : ` ${figures}`}`;
}

type ItemProps = { icon: TablerIcon; color: string; inList?: boolean; children: ReactNode };

function Item({ icon: Icon, color, inList = false, children }: ItemProps) {
  return (
    <Paper component={inList ? 'li' : 'div'} withBorder p="sm" bg="var(--app-surface)">
      <Group gap="sm" wrap="nowrap">
        <ThemeIcon variant="light" color={color} radius="xl" aria-hidden>
          <Icon size={16} />
        </ThemeIcon>
        <Text size="sm" component="div">
          {children}
        </Text>
      </Group>
    </Paper>
  );
}

function Go({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} fw={600} inherit>
      {children}
    </Anchor>
  );
}
