'use client';

import { Anchor, Group, Paper, Skeleton, Text, ThemeIcon } from '@mantine/core';
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
import { Link } from '@/app/_components/link';
import type { DisabledEndpoints } from '../../_components/api-types';
import { SHORT_TIME } from '../../_components/time/moments';
import { Time } from '../../_components/time/time';
import { webhookHref } from '../../applications/[id]/webhook/_components/query';
import { rateText } from '../../applications/[id]/webhook/_components/words';
import { dateText, timeText } from '../../bookings/_components/format';
import { OFFERED_BY } from '../../catalog/_components/offers';
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

/** For each reason why a service cannot be booked, the page on which its owner can change that. */
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
  const format = useFormats();
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
      <Paper withBorder className={styles.list ?? ''}>
        <Item icon={IconCircleCheck} color="green">
          {t.rich('nothing', { b: (text) => <b>{text}</b> })}
        </Item>
      </Paper>
    );
  }
  return (
    <Paper component="ul" withBorder className={styles.list ?? ''}>
      {overlaps.map((overlap) => (
        <OverlapItem key={overlap.bookings.map(({ reference }) => reference).join()} overlap={overlap} />
      ))}
      {overlap_total > overlaps.length && (
        <Item icon={IconCalendarDue} color="red" inList>
          {t('moreOverlaps', { shown: `${overlaps.length}`, total: format.count(overlap_total) })}
        </Item>
      )}
      {busy_conflicts.map(({ reference, date, start_time, service, specialist, calendar }) => (
        <Item key={`busy-${reference}`} icon={IconCalendarDue} color="red" inList>
          {t.rich(calendar === null ? 'busySystem' : 'busyCalendar', {
            ...{ specialist, calendar: calendar ?? '' },
            booking: () => (
              <Go href={`/bookings/${reference}`}>
                {service}, {dateText(format, date)}, {timeText(format, start_time)}
              </Go>
            ),
          })}
        </Item>
      ))}
      {busy_conflict_total > busy_conflicts.length && (
        <Item icon={IconCalendarDue} color="red" inList>
          {t('moreBusy', { shown: `${busy_conflicts.length}`, total: format.count(busy_conflict_total) })}
        </Item>
      )}
      {unreadable_calendars.map(({ id, name, whose, specialist_id, location_id, since, block_when_stale }) => (
        <Item key={id} icon={IconCalendarExclamation} color="orange" inList>
          {t.rich(block_when_stale ? 'unreadableStale' : 'unreadableKept', {
            ...{ whose, name, time: at(since) },
            link: linkTo(specialist_id ? `/catalog/specialists/${specialist_id}` : `/catalog/locations/${location_id}`),
          })}
        </Item>
      ))}
      {outside.map((one) => (
        <OutsideItem key={`outside-${one.location.id}`} outside={one} />
      ))}
      {unbookable.map(({ id, name, reason }) => (
        <Item key={`unbookable-${id}`} icon={IconCalendarOff} color="orange" inList>
          {t.rich(`unbookable.${reason}`, { name, link: linkTo(REMEDIES[reason](id)) })}
        </Item>
      ))}
      {bookability && bookability.total > unbookable.length && (
        <Item icon={IconCalendarOff} color="orange" inList>
          {t('moreUnbookable', { shown: `${unbookable.length}`, total: format.count(bookability.total) })}
        </Item>
      )}
      {disabled.map(({ application, reason, disabled_at, held }) => (
        <Item key={`webhook-${application.id}`} icon={IconWebhook} color="red" inList>
          {t.rich(reason === 'gone' ? 'disabledGone' : 'disabledFailing', {
            ...{ application: application.name, time: at(disabled_at), held },
            link: linkTo(`/applications/${application.id}/webhook`),
          })}
        </Item>
      ))}
      {failing.map((endpoint) => (
        <FailingItem key={`failing-${endpoint.application.id}`} endpoint={endpoint} />
      ))}
      {failing_applications.map(({ id, name, requests, errors }) => (
        <Item key={id} icon={IconAlertTriangle} color="red" inList>
          {t.rich('errors', {
            ...{ name, rate: formatShare(errors, requests, format) },
            ...{ errors: format.count(errors), requests: format.count(requests) },
            link: linkTo(requestsHref({ application: id, status: 'error' })),
          })}
        </Item>
      ))}
      {invalid_prices.map(({ id, name, currency }) => (
        <Item key={`price-${id}`} icon={IconCoins} color="orange" inList>
          {t.rich('price', { name, currency, link: linkTo(`/catalog/services/${id}`) })}
        </Item>
      ))}
      {expiring_keys.map(({ id, name, last_four, ends_at, application }) => (
        <Item key={id} icon={IconKey} color="orange" inList>
          {t.rich('key', {
            ...{ application: application.name, name, lastFour: last_four, time: at(ends_at) },
            link: linkTo(`/applications/${application.id}/keys`),
          })}
        </Item>
      ))}
      {suspended_applications.map(({ id, name, suspended_at }) => (
        <Item key={id} icon={IconPlayerPause} color="gray" inList>
          {t.rich('suspended', { name, time: at(suspended_at), link: linkTo(`/applications/${id}`) })}
        </Item>
      ))}
    </Paper>
  );
}

function OverlapItem({ overlap: { specialist, bookings } }: { overlap: Attention['overlaps'][number] }) {
  const t = useTranslations('overview.attention');
  const format = useFormats();
  const links = bookings.map(({ reference, service, date, start_time }, index) => (
    <Fragment key={reference}>
      {index > 0 && ` ${t('or')} `}
      <Go href={`/bookings/${reference}`}>
        {service}, {dateText(format, date)}, {timeText(format, start_time)}
      </Go>
    </Fragment>
  ));
  return (
    <Item icon={IconCalendarDue} color="red" inList>
      {t.rich('overlap', { specialist, bookings: () => links })}
    </Item>
  );
}

function OutsideItem({ outside: { location, bookings, date, start_time } }: { outside: OutsideAtLocation }) {
  const t = useTranslations('overview.attention');
  const format = useFormats();
  return (
    <Item icon={IconCalendarExclamation} color="orange" inList>
      {t.rich('outside', {
        ...{
          location: location.name,
          count: bookings,
          date: dateText(format, date),
          time: timeText(format, start_time),
        },
        link: linkTo(`/catalog/locations/${location.id}`),
      })}
    </Item>
  );
}

/** States why an endpoint is failing: because its secret cannot be decrypted, many of its attempts failed, or because its last attempt failed. */
function FailingItem({ endpoint }: { endpoint: WebhookHealth[number] }) {
  const t = useTranslations('overview.attention.failing');
  const states = useTranslations('applications.endpointState');
  const format = useFormats();
  const { application, low_success, attempts_24h: attempts, succeeded_24h: succeeded } = endpoint;
  const last = attempts === 0 ? 'last' : 'lastOf';
  const cause = endpoint.secret_unreadable ? 'secret' : low_success ? 'low' : last;
  return (
    <Item icon={IconWebhook} color="red" inList>
      {t.rich(cause, {
        ...{ application: application.name, rate: rateText(states, format, endpoint) },
        ...{ succeeded: format.count(succeeded), attempts: format.count(attempts) },
        link: linkTo(cause === 'secret' ? `/applications/${application.id}/webhook` : webhookHref(application.id)),
      })}
    </Item>
  );
}

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
    <Anchor component={Link} href={href} fw={600} inherit>
      {children}
    </Anchor>
  );
}
