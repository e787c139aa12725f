'use client';

import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { timesText } from '../format';
import { Block } from './block';
import styles from './calendar.module.css';
import { useCalendar } from './calendar-context';
import type { Axis, Blocked, Column } from './columns';
import type { Layout } from './lanes';
import { MoreLink } from './more-link';
import { HOUR, topOf } from './place';
import { shadesOf } from './shades';

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

/** A part of a block. For owners, it is a button that opens a block that an owner made. */
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

/** Shows where the booking that is being dragged would go. */
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
