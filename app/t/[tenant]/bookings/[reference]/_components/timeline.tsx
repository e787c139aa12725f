'use client';

import { Anchor, Timeline as MantineTimeline, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { type Translator, useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import type { Formats } from '@/lib/platform/text/formats';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { requestHref } from '../../../requests/_components/query';
import { dateText, makerText, timesText, timeText } from '../../_components/format';
import type { BookingDetail } from '../../_components/types';

type Entry = BookingDetail['timeline'][number];

const EVENTS = ['created', 'rescheduled', 'updated', 'cancelled', 'completed', 'no_show'] as const;

type Props = { booking: BookingDetail; viewsPartners: boolean };

/**
 * All versions of the booking, newest first. Each version shows who made the change. If a partner's request caused it,
 * members who may view requests get a link to the request.
 */
export function Timeline({ booking: { timeline, application }, viewsPartners }: Props) {
  const t = useTranslations('bookings.booking.timeline');
  const words = useTranslations('words');
  const format = useFormats();
  if (timeline.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('deleted')}
      </Text>
    );
  return (
    <MantineTimeline bulletSize={14} lineWidth={2} active={timeline.length}>
      {timeline.map((entry) => (
        <MantineTimeline.Item
          key={entry.version}
          title={t('entry', { event: eventOf(t, entry), version: entry.version })}
        >
          <Text size="sm">{detailOf(t, format, entry)}</Text>
          <Text size="sm" c="dimmed">
            {authorOf(t, entry, makerText(words, application))}
          </Text>
          {viewsPartners && entry.request_id && (
            <Anchor component={Link} href={requestHref(entry.request_id)} size="sm">
              {t.rich('request', {
                version: entry.version,
                hidden: (text) => <VisuallyHidden>{text}</VisuallyHidden>,
              })}
            </Anchor>
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
