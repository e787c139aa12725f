'use client';

import { Anchor, Timeline as MantineTimeline, Text, VisuallyHidden } from '@mantine/core';
import { Link } from '@/app/_components/link';
import { ZonedTime } from '../../../_components/time/zoned-time';
import { requestHref } from '../../../requests/_components/query';
import { formatDate, makerName } from '../../_components/format';
import type { BookingDetail } from '../../_components/types';

type Entry = BookingDetail['timeline'][number];

const TITLES: Record<string, string> = {
  'booking.created': 'Booked',
  'booking.rescheduled': 'Rescheduled',
  'booking.updated': 'Updated for new time zone rules',
  'booking.cancelled': 'Canceled',
  'booking.completed': 'Completed',
  'booking.no_show': 'Marked as no-show',
};

type Props = { booking: BookingDetail; viewsPartners: boolean };

/**
 * All versions of the booking, newest first. Each version shows who made the change. If a partner's request caused it,
 * members who may view requests get a link to the request.
 */
export function Timeline({ booking: { timeline, application }, viewsPartners }: Props) {
  if (timeline.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The history was deleted, as the retention settings require.
      </Text>
    );
  return (
    <MantineTimeline bulletSize={14} lineWidth={2} active={timeline.length}>
      {timeline.map((entry) => (
        <MantineTimeline.Item
          key={entry.version}
          title={`${isReopening(entry) ? 'Reopened' : (TITLES[entry.type] ?? entry.type)} · version ${entry.version}`}
        >
          <Text size="sm">{detailOf(entry)}</Text>
          <Text size="sm" c="dimmed">
            {authorOf(entry, makerName(application))},{' '}
            <ZonedTime value={entry.local_at} timeZone={entry.when.time_zone} />
          </Text>
          {viewsPartners && entry.request_id && (
            <Anchor component={Link} href={requestHref(entry.request_id)} size="sm">
              View request
              <VisuallyHidden> of version {entry.version}</VisuallyHidden>
            </Anchor>
          )}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  );
}

/** A completion or a no-show was undone. */
const isReopening = ({ type, actor }: Entry) => type === 'booking.updated' && actor === 'owner';

function detailOf(entry: Entry): string {
  const { when, previous, type } = entry;
  if (isReopening(entry)) return 'Confirmed again.';
  const at = `${formatDate(when.date)}, ${when.start_time}–${when.end_time} ${when.time_zone} with ${when.specialist_name}`;
  if (type === 'booking.updated') return `${at}. The local time stayed the same.`;
  if (previous) {
    return `${at}; previously ${formatDate(previous.date)}, ${previous.start_time} with ${previous.specialist_name}`;
  }
  return type === 'booking.created' ? at : '';
}

function authorOf({ actor, by }: Entry, application: string): string {
  if (actor === 'partner') return `by ${application}`;
  return actor === 'owner' ? `by ${by ?? 'a member'}` : 'by the system';
}
