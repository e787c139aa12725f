'use client';

import { ActionIcon, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconArrowsMove } from '@tabler/icons-react';
import { type CSSProperties, type PointerEvent, useId } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { TextLink } from '@/app/_components/link';
import { useCustomerNames } from '../display/customer-names';
import { timesText, timeText } from '../display/format';
import { termsTexts } from '../display/terms';
import { bookingHref } from '../query';
import blockStyles from './block.module.css';
import styles from './calendar.module.css';
import { useCalendar } from './calendar-context';
import {
  type Block as Appointment,
  type Axis,
  type BlockBooking,
  type Blocked,
  type Column,
  isOver,
  shadesOf,
} from './columns';
import { bookingItem, moreItem } from './items';
import { type Layout, MORE_WIDTH, type More, type Placed } from './lanes';
import { HOUR, MIN_HEIGHT, topOf } from './place';

type Props = { column: Column; layout: Layout; isNarrow: boolean };

/** One column of the calendar: the shading, the blocks, and the booking that is being dragged. */
export function GridColumn({ column, layout, isNarrow }: Props) {
  const t = useTranslations('bookings.schedule');
  const { axis, drag, nowIn, block, book, selection, select, click } = useCalendar();
  const { key, label, opening, working } = column;
  const now = nowIn(column);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: with the keyboard, N on a booking does the same.
    <ul
      className={styles.column}
      // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore lists without bullets.
      role="list"
      aria-label={label}
      data-column={key}
      data-narrow={isNarrow || undefined}
      data-bookable={book !== null || undefined}
      onPointerDown={(event) => (block || book) && event.target === event.currentTarget && select(event, column)}
      onClick={(event) => book && event.target === event.currentTarget && click(event, column)}
    >
      {shadesOf(axis, opening, working).map((shade) => (
        <li
          key={`${shade.kind} ${shade.from}`}
          aria-hidden
          className={styles[shade.kind]}
          style={{ top: topOf(shade.from, axis), height: topOf(shade.to, axis) - topOf(shade.from, axis) }}
        />
      ))}
      {column.blocked.map((part) => (
        <BlockedTime key={`${part.block.id} ${part.start_minute}`} part={part} column={column} />
      ))}
      {selection?.column === key && (
        <li aria-hidden className={styles.ghost} style={spanOf(selection.from, selection.to, axis)}>
          {t(block ? 'blockTime' : 'newBooking')}
        </li>
      )}
      {now !== null && now >= axis.from_minute && now < axis.to_minute && (
        <li aria-hidden className={styles.now} style={{ top: topOf(now, axis) }} />
      )}
      {layout.shown.map((placed) => (
        <Block
          key={`${placed.block.start_minute} ${placed.block.service.id} ${placed.block.specialist.id}`}
          placed={placed}
          column={column}
        />
      ))}
      {layout.more.map((more) => (
        <MoreLink key={more.start_minute} more={more} column={column} />
      ))}
      {drag.stops?.get(key)?.map(({ minute }) => (
        <li key={`free ${minute}`} aria-hidden className={styles.free} style={{ top: topOf(minute, axis) }} />
      ))}
      <Ghost column={key} />
    </ul>
  );
}

const spanOf = (from: number, to: number, axis: Axis) => ({
  top: topOf(from, axis),
  height: topOf(to, axis) - topOf(from, axis),
});

/** The sources of blocks that no owner made. */
const SOURCES = ['calendar', 'calendar_outage', 'system'] as const;

function BlockedTime({ part, column }: { part: Blocked; column: Column }) {
  const t = useTranslations('bookings.schedule.blocked');
  const format = useFormats();
  const { axis, block: open } = useCalendar();
  const { start_minute, end_minute, block } = part;
  const [from, to] = [Math.max(start_minute, axis.from_minute), Math.min(end_minute, axis.to_minute)];
  if (from >= to) return null;
  const source = SOURCES.find((one) => one === block.source) ?? 'owner';
  const blocked = t(source, { time: timesText(format, part) });
  const text = block.reason === null ? blocked : t('reason', { blocked, reason: block.reason });
  return (
    <li className={styles.blocked} style={spanOf(from, to, axis)}>
      {open && block.source === 'owner' ? (
        <button type="button" className={styles.blockedButton} onClick={() => open({ block, column })}>
          {text}
        </button>
      ) : (
        <span className={styles.blockedText}>{text}</span>
      )}
    </li>
  );
}

function Ghost({ column }: { column: string }) {
  const t = useTranslations('bookings.schedule.landing');
  const format = useFormats();
  const {
    axis,
    drag: { move, landing },
  } = useCalendar();
  if (!move || landing?.place.column !== column) return null;
  const { block } = move;
  const slot = landing.kind === 'slot' ? landing.slot : null;
  const length = slot
    ? (Date.parse(slot.ends_at) - Date.parse(slot.starts_at)) / 60_000
    : block.end_minute - block.start_minute;
  const text = landing.kind === 'slot' ? timesText(format, landing.slot) : t(landing.kind);
  return (
    <li
      aria-hidden
      className={styles.ghost}
      data-refused={landing.kind === 'none' || undefined}
      style={{ top: topOf(landing.place.minute, axis), height: (length / 60) * HOUR }}
    >
      {text}
    </li>
  );
}

function MoreLink({ more, column }: { more: More; column: Column }) {
  const t = useTranslations('bookings.schedule');
  const { start_minute, end_minute, count, isOutside } = more;
  const { axis, moreHref, stop } = useCalendar();
  const item = moreItem(column.key, start_minute);
  const top = topOf(start_minute, axis);
  const text = { count, attention: isOutside ? 'yes' : 'no' };
  const height = Math.max(MIN_HEIGHT, topOf(end_minute, axis) - top) - 2;
  return (
    <li className={blockStyles.more} style={{ top: top + 1, height }}>
      <TextLink
        href={moreHref(column)}
        className={blockStyles.moreLink}
        fz={12}
        title={t('moreTitle', text)}
        aria-label={t('more', text)}
        data-outside={isOutside}
        data-item={item}
        tabIndex={item === stop ? 0 : -1}
      >
        +{count}
        {isOutside && <IconAlertTriangle size={13} aria-hidden />}
      </TextLink>
    </li>
  );
}

// The style sheet contains the same values as these three constants.
/** Height of a line of text in pixels. */
const LINE = 16;
/** Height, in pixels, of the line that shows one booking of a group. */
const GROUP_LINE = 24;
/** Padding above and below the text in pixels. */
const PADDING = 3;

/** If a day's column has at least this number of lanes side by side, its blocks are too narrow for an ellipsis. */
const TIGHT_LANES = 3;

/** Shows only the lines that fit. If only one fits, the service and the bookings share it. */
function Block({ placed, column }: { placed: Placed; column: Column }) {
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
  const classes = [
    blockStyles.block,
    isOver(bookings) && blockStyles.over,
    bookings.some(isMoving) && blockStyles.moving,
  ];
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
      <div className={blockStyles.text} data-short={isShort || undefined}>
        <Text span fz={12} fw={600} id={service} className={blockStyles.service}>
          {isOutside && <IconAlertTriangle size={13} className={blockStyles.sign} aria-hidden />}
          {compact || isShort ? timeText(format, block.start_time) : timesText(format, block)} {block.service.name}
          {seats.capacity > 1 && ` · ${seats.taken}/${seats.capacity}`}
        </Text>
        <ul className={blockStyles.bookings} aria-labelledby={service}>
          {bookings.map((booking) => (
            <BookingLine key={booking.reference} booking={booking} block={block} column={column} isGroup={isGroup} />
          ))}
        </ul>
      </div>
    </li>
  );
}

function sidesOf({ lane, lanes, isLimited }: Placed): CSSProperties {
  const width = `(100% - ${6 + (isLimited ? MORE_WIDTH : 0)}px)`;
  return { left: `calc(4px + ${width} * ${lane / lanes})`, width: `calc(${width} / ${lanes} - 2px)` };
}

function Terms({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Text span fz={12} className={blockStyles.terms}>
      {texts.join(' · ')}
    </Text>
  );
}

type LineProps = { booking: BlockBooking; block: Appointment; column: Column; isGroup: boolean };

function BookingLine({ booking, block, column, isGroup }: LineProps) {
  const { reschedule, book, stop } = useCalendar();
  const t = useTranslations('bookings');
  const terms = useTranslations('bookings.terms');
  const reasons = useTranslations('affected.list.reasons');
  const words = useTranslations('words');
  const format = useFormats();
  const name = useCustomerNames().get(booking.reference);
  const move = booking.movable && reschedule ? () => reschedule(booking, block) : null;
  const item = bookingItem(column.key, booking.reference);
  const { service, specialist } = block;
  const attention = booking.outside && t('outside.attention', { reason: reasons(booking.outside) });
  // A short block has room for only one line below the service: the customer, if the business shows names.
  const person = column.specialist === null && (
    <Text span fz={12} className={blockStyles.person}>
      {specialist.name}
    </Text>
  );
  return (
    <li data-reference={booking.reference} className={blockStyles.line}>
      {name === undefined && person}
      <TextLink
        href={bookingHref(booking.reference)}
        className={blockStyles.booking}
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
      </TextLink>
      {name !== undefined && person}
      {!isGroup && <Terms texts={termsTexts(terms, format, booking, block.date)} />}
      {move && (
        // The M key does the same as this button, so the button is not a tab stop.
        <ActionIcon
          variant="subtle"
          size={24}
          tabIndex={-1}
          className={blockStyles.handle}
          aria-label={t('schedule.move', { reference: booking.external_reference })}
          onClick={move}
        >
          <IconArrowsMove size={14} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
