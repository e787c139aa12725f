'use client';

import {
  Alert,
  Button,
  Code,
  Grid,
  Group,
  Timeline as MantineTimeline,
  Skeleton,
  Stack,
  Text,
  VisuallyHidden,
} from '@mantine/core';
import { IconCalendarDue, IconCalendarExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Hint } from '@/app/_components/hint';
import { type Translator, useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { CANCEL_REASONS } from '@/lib/contract/cancel-reasons';
import type { Formats } from '@/lib/platform/text/formats';
import { CopyValue, Id } from '../../../_components/id';
import { Panel } from '../../../_components/panel';
import { PageHeader } from '../../../_components/shell/page-header';
import { EmptyState, ErrorState } from '../../../_components/states';
import { Fact, Facts } from '../../../_components/tables/facts';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { useTRPC } from '../../../_components/trpc';
import { formatPrice } from '../../../catalog/_components/prices/money';
import { requestHref, requestsHref } from '../../../requests/_components/query';
import { ActionDialog } from '../../_components/dialogs/action-dialog';
import { RescheduleDialog } from '../../_components/dialogs/reschedule-dialog';
import { actionName, dateText, makerText, timesText, timeText } from '../../_components/display/format';
import { StatusBadge } from '../../_components/display/status-badge';
import { bookingsHref, dayHref } from '../../_components/query';
import type { BookingDetail, OutsideReason, OwnerAction } from '../../_components/types';
import { Contact } from './contact';

type Props = {
  reference: string;
  canEdit: boolean;
  viewsPartners: boolean;
};

/** Shows one booking with its history. */
export function BookingView({ reference, canEdit, viewsPartners }: Props) {
  const t = useTranslations('bookings');
  const format = useFormats();
  const trpc = useTRPC();
  const booking = useQuery(trpc.bookings.get.queryOptions({ reference }));
  const data = booking.data;
  return (
    <>
      <PageHeader
        title={
          data
            ? t('booking.named', {
                service: data.service.name,
                date: dateText(format, data.date),
                time: timeText(format, data.start_time),
              })
            : t('booking.title')
        }
        tab={data?.external_reference ?? reference}
        lead={
          <Group gap="sm">
            <Id value={reference} what={t('booking.reference')} />
            {data && <StatusBadge status={data.status} />}
          </Group>
        }
        trail={[{ href: '/bookings', label: t('list.title') }]}
        actions={data && canEdit && <BookingActions booking={data} />}
      />
      {data && <OverlapAlert booking={data} canEdit={canEdit} />}
      {data && <OutsideAlert booking={data} canEdit={canEdit} />}
      {data ? (
        <Booking booking={data} canEdit={canEdit} viewsPartners={viewsPartners} />
      ) : booking.isPending ? (
        <Loading />
      ) : booking.error?.data?.code === 'not_found' ? (
        <NotFound />
      ) : (
        <ErrorState error={booking.error} retry={() => void booking.refetch()} />
      )}
    </>
  );
}

type BookingProps = Omit<Props, 'reference'> & { booking: BookingDetail };

function Booking({ booking, canEdit, viewsPartners }: BookingProps) {
  const t = useTranslations('bookings.booking');
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Stack gap="md">
          <Panel gap="sm" title={t('title')}>
            <BookingFacts booking={booking} viewsPartners={viewsPartners} />
          </Panel>
          <Panel gap="sm" title={t('customer')}>
            <Contact booking={booking} canReveal={canEdit} />
          </Panel>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <Panel gap="sm" title={t('history')}>
          <Timeline booking={booking} viewsPartners={viewsPartners} />
        </Panel>
      </Grid.Col>
    </Grid>
  );
}

function NotFound() {
  const t = useTranslations('bookings.booking');
  const action = (
    <TextLink href="/bookings" size="md">
      {t('all')}
    </TextLink>
  );
  return (
    <EmptyState title={t('notFound')} action={action}>
      {t('notFoundHint')}
    </EmptyState>
  );
}

function Loading() {
  const t = useTranslations('bookings.booking');
  return (
    <Stack gap="md" role="status" aria-label={t('loading')} aria-busy="true">
      <Skeleton height={320} radius="md" />
      <Skeleton height={160} radius="md" />
    </Stack>
  );
}

function BookingActions({ booking }: { booking: BookingDetail }) {
  const t = useTranslations('bookings.booking');
  const words = useTranslations('words');
  // The chosen action is kept while the dialog fades out so that the dialog's text does not change.
  const [chosen, setChosen] = useState<OwnerAction>('cancel');
  const [opened, setOpened] = useState(false);
  const open = (action: OwnerAction) => {
    setChosen(action);
    setOpened(true);
  };
  const [moving, setMoving] = useState(false);
  return (
    <>
      {booking.movable && (
        <Button variant="default" onClick={() => setMoving(true)}>
          {t('reschedule')}
        </Button>
      )}
      {booking.actions.map((action) => (
        <Button
          key={action}
          variant={action === 'complete' ? 'filled' : 'default'}
          c={action === 'cancel' ? 'var(--mantine-color-error)' : undefined}
          onClick={() => open(action)}
        >
          {actionName(words, action, booking.status)}
        </Button>
      ))}
      <RescheduleDialog booking={booking} opened={moving} onClose={() => setMoving(false)} />
      <ActionDialog booking={booking} action={chosen} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

type OverlapAlertProps = { booking: BookingDetail; canEdit: boolean };

/** Names the bookings of the same specialist that overlap the booking since a change of time zone rules. */
function OverlapAlert({ booking: { overlaps, specialist }, canEdit }: OverlapAlertProps) {
  const t = useTranslations('bookings.booking');
  const format = useFormats();
  if (overlaps.length === 0) return null;
  return (
    <Alert
      color="red"
      icon={<IconCalendarDue aria-hidden />}
      title={t('overlap.title', { specialist: specialist.name })}
      role="status"
      mb="md"
    >
      {t.rich('overlap.text', {
        bookings: () =>
          overlaps.map(({ reference, service, date, start_time }, index) => (
            <Fragment key={reference}>
              {index > 0 && ', '}
              <TextLink href={`/bookings/${reference}`} inherit c="inherit" underline="always">
                {service}, {dateText(format, date)}, {timeText(format, start_time)}
              </TextLink>
            </Fragment>
          )),
      })}{' '}
      {t(canEdit ? 'overlap.canEdit' : 'overlap.others')}
    </Alert>
  );
}

type OutsideAlertProps = { booking: BookingDetail; canEdit: boolean };

function OutsideAlert({ booking, canEdit }: OutsideAlertProps) {
  const t = useTranslations('bookings.booking.outside');
  const { outside, service, location, specialist } = booking;
  if (!outside) return null;
  const names = { service: service.name, location: location.name, specialist: specialist.name };
  return (
    <Alert
      color="yellow"
      icon={<IconCalendarExclamation aria-hidden />}
      title={t(`titles.${outside}`, names)}
      role="status"
      mb="md"
    >
      {t('remains')} {t(canEdit ? ACTIONS[outside] : 'others')}
    </Alert>
  );
}

const ACTIONS: Record<OutsideReason, 'move' | 'publishService' | 'publishLocation'> = {
  outside_hours: 'move',
  blocked: 'move',
  specialist_unpublished: 'move',
  not_offered: 'move',
  service_unpublished: 'publishService',
  location_unpublished: 'publishLocation',
};

const hidden = (text: ReactNode) => <VisuallyHidden>{text}</VisuallyHidden>;

function BookingFacts({ booking, viewsPartners }: { booking: BookingDetail; viewsPartners: boolean }) {
  const t = useTranslations('bookings.booking.facts');
  const format = useFormats();
  const { application, location, date, price } = booking;
  return (
    <Facts>
      <Fact name={t('when')}>
        {dateText(format, date)}, {timesText(format, booking)}
        <Text span c="dimmed" size="sm">
          {' '}
          {booking.time_zone}
        </Text>
      </Fact>
      <Fact name={t('service')}>{booking.service.name}</Fact>
      <Fact name={t('price')}>
        {price
          ? t.rich('perSeat', {
              price: formatPrice(price.amount, price.currency, format.language),
              dim: (text) => (
                <Text span c="dimmed" size="sm">
                  {text}
                </Text>
              ),
            })
          : t('noPrice')}
      </Fact>
      <Fact name={t('specialist')}>{booking.specialist.name}</Fact>
      <Fact name={t('location')}>
        {location.name}
        {' · '}
        <TextLink href={dayHref({ location: location.id, date })} underline="always">
          {t.rich('day', { location: location.name, hidden })}
        </TextLink>
      </Fact>
      {application ? (
        <Fact name={t('application')}>
          {viewsPartners ? (
            <TextLink href={`/applications/${application.id}`}>{application.name}</TextLink>
          ) : (
            application.name
          )}
          {' · '}
          <TextLink href={bookingsHref({ period: 'all', application: application.id })} underline="always">
            {t.rich('bookingsOf', { application: application.name, hidden })}
          </TextLink>
        </Fact>
      ) : (
        <Fact name={t('madeBy')}>{t('byBusiness')}</Fact>
      )}
      <Fact name={t(application ? 'external' : 'number')}>
        <Group gap={4}>
          <Code>{booking.external_reference}</Code>
          <CopyValue value={booking.external_reference} label={t('copy')} />
        </Group>
      </Fact>
      {viewsPartners && application && (
        <Fact name={t('requests')}>
          <TextLink href={requestsHref({ reference: booking.reference, period: '30d' })}>{t('requestsLink')}</TextLink>
        </Fact>
      )}
      <Changes booking={booking} />
    </Facts>
  );
}

function Changes({ booking }: { booking: BookingDetail }) {
  const t = useTranslations('bookings.booking.facts');
  const who = booking.cancelled_by === 'owner' ? 'owner' : 'partner';
  const reason = CANCEL_REASONS.find((one) => one === booking.cancel_reason);
  return (
    <>
      <Fact name={t('version')}>{booking.version}</Fact>
      {booking.local.change_deadline && (
        <Fact name={t('deadline')}>
          <ZonedTime value={booking.local.change_deadline} timeZone={booking.time_zone} />
        </Fact>
      )}
      {booking.cancelled_at && (
        <Fact name={t('cancelled')}>
          {booking.cancel_reason
            ? t('cancelledFor', { who, reason: reason ? t(`reasons.${reason}`) : booking.cancel_reason })
            : t('cancelledBy', { who })}
        </Fact>
      )}
      <Fact name={t('booked')}>
        <ZonedTime value={booking.local.created_at} timeZone={booking.time_zone} />
      </Fact>
    </>
  );
}

type Entry = BookingDetail['timeline'][number];

const EVENTS = ['created', 'rescheduled', 'updated', 'cancelled', 'completed', 'no_show'] as const;

type TimelineProps = { booking: BookingDetail; viewsPartners: boolean };

function Timeline({ booking: { timeline, application }, viewsPartners }: TimelineProps) {
  const t = useTranslations('bookings.booking.timeline');
  const words = useTranslations('words');
  const format = useFormats();
  if (timeline.length === 0) return <Hint>{t('deleted')}</Hint>;
  return (
    <MantineTimeline bulletSize={14} lineWidth={2} active={timeline.length}>
      {timeline.map((entry) => (
        <MantineTimeline.Item
          key={entry.version}
          title={t('entry', { event: eventOf(t, entry), version: entry.version })}
        >
          <Text size="sm">{detailOf(t, format, entry)}</Text>
          <Hint>{authorOf(t, entry, makerText(words, application))}</Hint>
          {viewsPartners && entry.request_id && (
            <TextLink href={requestHref(entry.request_id)}>
              {t.rich('request', {
                version: entry.version,
                hidden: (text) => <VisuallyHidden>{text}</VisuallyHidden>,
              })}
            </TextLink>
          )}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}

/** A completion or a no-show was undone. */
const isReopening = ({ type, actor }: Entry) => type === 'booking.updated' && actor === 'owner';

type Texts = Translator<'bookings.booking.timeline'>;

function eventOf(t: Texts, entry: Entry): string {
  if (isReopening(entry)) return t('events.reopened');
  const event = EVENTS.find((one) => `booking.${one}` === entry.type);
  return event ? t(`events.${event}`) : entry.type;
}

function detailOf(t: Texts, format: Formats, entry: Entry): string {
  const { when, previous, type } = entry;
  if (isReopening(entry)) return t('confirmedAgain');
  const at = {
    date: dateText(format, when.date),
    time: timesText(format, when),
    timeZone: when.time_zone,
    specialist: when.specialist_name,
  };
  if (type === 'booking.updated') return t('sameTime', at);
  if (previous)
    return t('moved', {
      ...at,
      oldDate: dateText(format, previous.date),
      oldTime: timeText(format, previous.start_time),
      oldSpecialist: previous.specialist_name,
    });
  return type === 'booking.created' ? t('at', at) : '';
}

function authorOf(t: Texts, { actor, by, local_at, when }: Entry, application: string): ReactNode {
  const time = () => <ZonedTime value={local_at} timeZone={when.time_zone} />;
  if (actor === 'partner') return t.rich('by', { name: application, time });
  if (actor !== 'owner') return t.rich('bySystem', { time });
  return by ? t.rich('by', { name: by, time }) : t.rich('byMember', { time });
}
