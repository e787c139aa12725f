'use client';

import { ActionIcon, Anchor, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconArrowsMove } from '@tabler/icons-react';
import { type CSSProperties, type PointerEvent, useId } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import { useCustomerNames } from '../customer-names';
import { timesText, timeText } from '../format';
import { bookingHref } from '../query';
import { termsTexts } from '../terms';
import styles from './block.module.css';
import { useCalendar } from './calendar-context';
import { type Block as Appointment, type BlockBooking, type Column, isOver } from './columns';
import { bookingItem } from './items';
import { MORE_WIDTH, type Placed } from './lanes';
import { HOUR, MIN_HEIGHT, topOf } from './place';

// The style sheet contains the same values as these three constants.
/** Height of a line of text in pixels. */
const LINE = 16;
/** Height, in pixels, of the line that shows one booking of a group. */
const GROUP_LINE = 24;
/** Padding above and below the text in pixels. */
const PADDING = 3;

/** If a day's column has at least this number of lanes side by side, its blocks are too narrow for an ellipsis. */
const TIGHT_LANES = 3;

/**
 * One appointment of a specialist. If the appointment has more than one seat, the block shows how many seats are taken.
 * A block shows only the lines that fit into it. If only one line fits, the service and the bookings share this line.
 */
export function Block({ placed, column }: { placed: Placed; column: Column }) {
  const format = useFormats();
  const { axis, columnKind, drag, reschedule, press } = useCalendar();
  const service = useId();
  // A day's column is narrow, so the first line shows only the start and the service.
  const compact = columnKind === 'day';
  const { block } = placed;
  const { bookings, seats } = block;
  const height = Math.max(MIN_HEIGHT, ((block.end_minute - block.start_minute) / 60) * HOUR) - 2;
  const room = height - 2 * PADDING;
  const isGroup = bookings.length > 1;
  const isOutside = bookings.some(({ outside }) => outside !== null);
  const isShort = room < LINE + (isGroup ? GROUP_LINE : LINE);
  // The height of the lines that fit. A line is never cut in the middle.
  const visible = isShort ? LINE : isGroup ? room - ((room - LINE) % GROUP_LINE) : room - (room % LINE);
  const style = {
    ...sidesOf(placed),
    top: topOf(block.start_minute, axis) + 1,
    '--block-height': `${height}px`,
    '--text-height': `${visible}px`,
  } as CSSProperties;
  // If the block has a single booking, dragging any part of the block moves this booking. In a group, each booking is
  // dragged by its own line.
  const onPointerDown = (event: PointerEvent) => {
    const line = event.target instanceof Element ? event.target.closest('[data-reference]') : null;
    const reference = line?.getAttribute('data-reference') ?? (bookings.length === 1 ? bookings[0]?.reference : null);
    const booking = bookings.find((one) => one.reference === reference);
    if (booking?.movable && reschedule && event.button === 0 && event.pointerType !== 'touch')
      press(event, booking, block, column.key);
  };
  const classes = [styles.block, isOver(bookings) && styles.over, bookings.some(isMoving) && styles.moving];
  function isMoving({ reference }: BlockBooking) {
    return reference === drag.move?.booking.reference;
  }
  return (
    <li
      className={classes.filter(Boolean).join(' ')}
      style={style}
      data-group={isGroup || undefined}
      data-outside={isOutside || undefined}
      data-tight={(compact && placed.lanes >= TIGHT_LANES) || undefined}
      onPointerDown={onPointerDown}
    >
      <div className={styles.text} data-short={isShort || undefined}>
        <Text span fz={12} fw={600} id={service} className={styles.service}>
          {isOutside && <IconAlertTriangle size={13} className={styles.sign} aria-hidden />}
          {compact || isShort ? timeText(format, block.start_time) : timesText(format, block)} {block.service.name}
          {seats.capacity > 1 && ` · ${seats.taken}/${seats.capacity}`}
        </Text>
        <ul className={styles.bookings} aria-labelledby={service}>
          {bookings.map((booking) => (
            <BookingLine key={booking.reference} booking={booking} block={block} column={column} isGroup={isGroup} />
          ))}
        </ul>
      </div>
    </li>
  );
}

/** Returns the horizontal position of a block in its column. */
function sidesOf({ lane, lanes, isLimited }: Placed): CSSProperties {
  const width = `(100% - ${6 + (isLimited ? MORE_WIDTH : 0)}px)`;
  return { left: `calc(4px + ${width} * ${lane / lanes})`, width: `calc(${width} / ${lanes} - 2px)` };
}

/** The price, the deadline, and the mark of a note, on a line that is visible if it fits into the block. */
function Terms({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Text span fz={12} className={styles.terms}>
      {texts.join(' · ')}
    </Text>
  );
}

type LineProps = { booking: BlockBooking; block: Appointment; column: Column; isGroup: boolean };

function BookingLine({ booking, block, column, isGroup }: LineProps) {
  const { reschedule, book, stop } = useCalendar();
  const t = useTranslations('bookings');
  const terms = useTranslations('bookings.terms');
  const words = useTranslations('words');
  const format = useFormats();
  const name = useCustomerNames().get(booking.reference);
  const move = booking.movable && reschedule ? () => reschedule(booking, block) : null;
  const item = bookingItem(column.key, booking.reference);
  const { service, specialist } = block;
  const attention = booking.outside && t('outside.attention', { reason: t(`outside.reasons.${booking.outside}`) });
  // A short block has room for only one line below the service: the customer, if the business shows names.
  const person = column.specialist === null && (
    <Text span fz={12} className={styles.person}>
      {specialist.name}
    </Text>
  );
  return (
    <li data-reference={booking.reference} className={styles.line}>
      {name === undefined && person}
      <Anchor
        component={Link}
        href={bookingHref(booking.reference)}
        className={styles.booking}
        fz={12}
        title={[
          `${timesText(format, block)} ${service.name}`,
          ...(name === undefined ? [] : [name]),
          [specialist.name, booking.external_reference, booking.application_name ?? t('schedule.theBusiness')].join(
            ', ',
          ),
          ...termsTexts(terms, format, booking),
          ...(attention ? [attention] : []),
        ].join('\n')}
        draggable={false}
        data-item={item}
        tabIndex={item === stop ? 0 : -1}
        aria-keyshortcuts={[move && 'm', book && 'n'].filter(Boolean).join(' ') || undefined}
        onKeyDown={(event) => {
          const { key, altKey, ctrlKey, metaKey } = event;
          const pressed = altKey || ctrlKey || metaKey ? '' : key.toLowerCase();
          const act = pressed === 'm' ? move : pressed === 'n' && book ? () => book(column, block.end_minute) : null;
          if (!act) return;
          event.preventDefault();
          act();
        }}
      >
        <bdi>{name ?? booking.external_reference}</bdi>
        <VisuallyHidden>
          , {timeText(format, block.start_time)} {service.name}, {specialist.name}
        </VisuallyHidden>
        {booking.status !== 'confirmed' && ` · ${words(`bookingStatus.${booking.status}`)}`}
        {attention && <VisuallyHidden>, {attention}</VisuallyHidden>}
      </Anchor>
      {name !== undefined && person}
      {!isGroup && <Terms texts={termsTexts(terms, format, booking, block.date)} />}
      {move && (
        // The M key does the same as this button, so the button is not a tab stop.
        <ActionIcon
          variant="subtle"
          size={24}
          tabIndex={-1}
          className={styles.handle}
          aria-label={t('schedule.move', { reference: booking.external_reference })}
          onClick={move}
        >
          <IconArrowsMove size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
