'use client';

import { Group, Paper, Skeleton, Text, ThemeIcon } from '@mantine/core';
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
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import type { DisabledEndpoints } from '../../_components/api-types';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { rateText } from '../../applications/[id]/webhook/_components/words';
import { dateText, timeText } from '../../bookings/_components/display/format';
import { OFFERED_BY } from '../../catalog/_components/offers/offers';
import { formatShare } from '../../requests/_components/format';
import { requestsHref } from '../../requests/_components/query';
import styles from './attention-list.module.css';
import type { Attention, Bookability, OutsideAtLocation, WebhookHealth } from './types';

type Props = {
  attention: Attention | undefined;
  disabled: DisabledEndpoints | undefined;
  endpoints: WebhookHealth | undefined;
  outside: OutsideAtLocation[] | undefined;
  bookability: Bookability | undefined;
};

const preview = (id: string) => `/catalog/preview?service=${id}`;

const REMEDIES: Record<Bookability['services'][number]['reason'], (id: string) => string> = {
  unoffered: (id) => `/catalog/services/${id}#${OFFERED_BY}`,
  no_opening_hours: () => '/catalog/locations',
  no_working_hours: () => '/catalog/specialists',
  hours_too_short: preview,
  taken: preview,
};

/** Lists the items that need attention, each with a link. If no items need attention, says so. */
export function AttentionList({ attention, disabled, endpoints, outside, bookability }: Props) {
  const t = useTranslations('overview.attention');
  const states = useTranslations('applications.endpointState');
  const format = useFormats();
  if (!attention || !disabled || !endpoints || !outside) return <Skeleton height={62} radius="md" />;
  const { overlaps, overlap_total, busy_conflicts, busy_conflict_total } = attention;
  const unbookable = bookability?.services ?? [];
  const bookingLink = ({ reference, service, date, start_time }: Booking) => (
    <Go href={`/bookings/${reference}`}>
      {service}, {dateText(format, date)}, {timeText(format, start_time)}
    </Go>
  );
  const item = (key: string, icon: TablerIcon, color: string, text: ReactNode) => (
    <Item key={key} icon={icon} color={color} inList>
      {text}
    </Item>
  );
  const more = (key: 'moreOverlaps' | 'moreBusy' | 'moreUnbookable', shown: number, total: number) =>
    total > shown ? [t(key, { shown: `${shown}`, total: format.count(total) })] : [];
  const items = [
    ...overlaps.map(({ specialist, bookings }) => {
      const links = bookings.map((booking, index) => (
        <Fragment key={booking.reference}>
          {index > 0 && ` ${t('or')} `}
          {bookingLink(booking)}
        </Fragment>
      ));
      const key = bookings.map(({ reference }) => reference).join();
      return item(key, IconCalendarDue, 'red', t.rich('overlap', { specialist, bookings: () => links }));
    }),
    ...more('moreOverlaps', overlaps.length, overlap_total).map((text) => item(text, IconCalendarDue, 'red', text)),
    ...busy_conflicts.map(({ specialist, calendar, ...booking }) => {
      const values = { specialist, calendar: calendar ?? '', booking: () => bookingLink(booking) };
      const text = t.rich(calendar === null ? 'busySystem' : 'busyCalendar', values);
      return item(`busy-${booking.reference}`, IconCalendarDue, 'red', text);
    }),
    ...more('moreBusy', busy_conflicts.length, busy_conflict_total).map((text) =>
      item(text, IconCalendarDue, 'red', text),
    ),
    ...attention.unreadable_calendars.map(
      ({ id, name, whose, specialist_id, location_id, since, block_when_stale }) => {
        const href = specialist_id ? `/catalog/specialists/${specialist_id}` : `/catalog/locations/${location_id}`;
        const values = { whose, name, time: at(since), link: linkTo(href) };
        const text = t.rich(block_when_stale ? 'unreadableStale' : 'unreadableKept', values);
        return item(id, IconCalendarExclamation, 'orange', text);
      },
    ),
    ...outside.map(({ location, bookings, date, start_time }) => {
      const first = { date: dateText(format, date), time: timeText(format, start_time) };
      const link = linkTo(`/catalog/locations/${location.id}`);
      const text = t.rich('outside', { location: location.name, count: bookings, ...first, link });
      return item(`outside-${location.id}`, IconCalendarExclamation, 'orange', text);
    }),
    ...unbookable.map(({ id, name, reason }) => {
      const text = t.rich(`unbookable.${reason}`, { name, link: linkTo(REMEDIES[reason](id)) });
      return item(`unbookable-${id}`, IconCalendarOff, 'orange', text);
    }),
    ...more('moreUnbookable', unbookable.length, bookability?.total ?? 0).map((text) =>
      item(text, IconCalendarOff, 'orange', text),
    ),
    ...disabled.map(({ application: { id, name }, reason, disabled_at, held }) => {
      const values = { application: name, time: at(disabled_at), held, link: linkTo(`/applications/${id}/webhook`) };
      const text = t.rich(reason === 'gone' ? 'disabledGone' : 'disabledFailing', values);
      return item(`webhook-${id}`, IconWebhook, 'red', text);
    }),
    ...endpoints
      .filter(({ failing }) => failing)
      .map((endpoint) => {
        const { application, attempts_24h: attempts, succeeded_24h: succeeded } = endpoint;
        const last = attempts === 0 ? 'last' : 'lastOf';
        const cause = endpoint.secret_unreadable ? 'secret' : endpoint.low_success ? 'low' : last;
        const text = t.rich(`failing.${cause}`, {
          ...{ application: application.name, rate: rateText(states, format, endpoint) },
          ...{ succeeded: format.count(succeeded), attempts: format.count(attempts) },
          link: linkTo(webhookHref(application.id)),
        });
        return item(`failing-${application.id}`, IconWebhook, 'red', text);
      }),
    ...attention.failing_applications.map(({ id, name, requests, errors }) => {
      const values = { name, rate: formatShare(errors, requests, format), errors: format.count(errors) };
      const link = linkTo(requestsHref({ application: id, status: 'error' }));
      const text = t.rich('errors', { ...values, requests: format.count(requests), link });
      return item(id, IconAlertTriangle, 'red', text);
    }),
    ...attention.invalid_prices.map(({ id, name, currency }) => {
      const text = t.rich('price', { name, currency, link: linkTo(`/catalog/services/${id}`) });
      return item(`price-${id}`, IconCoins, 'orange', text);
    }),
    ...attention.expiring_keys.map(({ id, name, last_four, ends_at, application }) => {
      const values = { application: application.name, name, lastFour: last_four, time: at(ends_at) };
      return item(
        id,
        IconKey,
        'orange',
        t.rich('key', { ...values, link: linkTo(`/applications/${application.id}/keys`) }),
      );
    }),
    ...attention.suspended_applications.map(({ id, name, suspended_at }) => {
      const text = t.rich('suspended', { name, time: at(suspended_at), link: linkTo(`/applications/${id}`) });
      return item(id, IconPlayerPause, 'gray', text);
    }),
  ];
  if (items.length === 0) {
    return (
      <Paper withBorder className={styles.list ?? ''}>
        <Item icon={IconCircleCheck} color="green">
          {t.rich('nothing', { b: (text) => <b>{text}</b> })}
        </Item>
      </Paper>
    );
  }
  return (
    <Paper component="ul" withBorder className={styles.list ?? ''}>
      {items}
    </Paper>
  );
}

type Booking = Attention['overlaps'][number]['bookings'][number];

type ItemProps = { icon: TablerIcon; color: string; inList?: boolean; children: ReactNode };

function Item({ icon: Icon, color, inList = false, children }: ItemProps) {
  return (
    <Group component={inList ? 'li' : 'div'} gap="sm" wrap="nowrap" className={styles.item ?? ''}>
      <ThemeIcon variant="light" color={color} radius="xl" aria-hidden>
        <Icon size={16} />
      </ThemeIcon>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Group>
  );
}

const at = (value: string) => () => <Time value={value} options={SHORT_TIME} />;

const linkTo = (href: string) => (chunks: ReactNode) => <Go href={href}>{chunks}</Go>;

function Go({ href, children }: { href: string; children: ReactNode }) {
  return (
    <TextLink href={href} fw={600} inherit>
      {children}
    </TextLink>
  );
}
