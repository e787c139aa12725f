'use client';

import { useEffect, useRef } from 'react';
import { Block, type MoveHandlers } from './block';
import styles from './calendar.module.css';
import type { Axis, Column } from './columns';
import { moreItem } from './items';
import type { Layout } from './lanes';
import { MoreLink } from './more-link';
import { HOUR, topOf } from './place';
import { shadesOf } from './shades';
import type { MoveState } from './use-move';

type Props = {
  axis: Axis;
  column: Column;
  layout: Layout;
  /** Whether the column shows a day instead of a specialist. The blocks in a day's column are compact. */
  isDay: boolean;
  isNarrow: boolean;
  now: number | null;
  state: MoveState | null;
  onMove: MoveHandlers | null;
  /** The ID of the link that is the calendar's tab stop. */
  stop: string | null;
  /** Returns the URL of a day's schedule. A column links to it in place of bookings that do not fit side by side. */
  moreHref: (column: Column) => string;
};

/** One column of the calendar: the shading, the blocks, and the booking that is being moved. */
export function GridColumn(props: Props) {
  const { axis, column, layout, isDay, isNarrow, now, state, onMove, stop, moreHref } = props;
  const { key, label, opening, working } = column;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore lists without bullets.
    <ul className={styles.column} role="list" aria-label={label} data-column={key} data-narrow={isNarrow || undefined}>
      {shadesOf(axis, opening, working).map((shade) => (
        <li
          key={`${shade.kind} ${shade.from}`}
          aria-hidden
          className={styles[shade.kind]}
          style={{ top: topOf(shade.from, axis), height: topOf(shade.to, axis) - topOf(shade.from, axis) }}
        />
      ))}
      {now !== null && now >= axis.from_minute && now < axis.to_minute && (
        <li aria-hidden className={styles.now} style={{ top: topOf(now, axis) }} />
      )}
      {layout.shown.map((placed) => (
        <Block
          key={`${placed.block.start_minute} ${placed.block.service.id} ${placed.block.specialist.id}`}
          placed={placed}
          compact={isDay}
          names={column.specialist === null}
          axis={axis}
          column={key}
          onMove={onMove}
          moving={state?.move?.booking.reference ?? null}
          stop={stop}
        />
      ))}
      {layout.more.map((more) => {
        const item = moreItem(key, more.start_minute);
        return (
          <MoreLink key={item} more={more} axis={axis} href={moreHref(column)} item={item} isStop={item === stop} />
        );
      })}
      {state?.stops?.get(key)?.map(({ minute }) => (
        <li key={`free ${minute}`} aria-hidden className={styles.free} style={{ top: topOf(minute, axis) }} />
      ))}
      {state && <Ghost state={state} axis={axis} column={key} />}
    </ul>
  );
}

/** Shows where the booking that is being moved would go. */
function Ghost({ state: { move, landing }, axis, column }: { state: MoveState; axis: Axis; column: string }) {
  const element = useRef<HTMLLIElement>(null);
  const isHere = landing?.place.column === column;
  const minute = landing?.place.minute;
  const follows = move?.by === 'keys';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element moves when the minute changes.
  useEffect(() => {
    if (isHere && follows) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isHere, follows, minute]);
  if (!move || !landing || !isHere) return null;
  const { block } = move;
  const slot = landing.kind === 'slot' ? landing.slot : null;
  const length = slot
    ? (Date.parse(slot.ends_at) - Date.parse(slot.starts_at)) / 60_000
    : block.end_minute - block.start_minute;
  const text = slot ? `${slot.start_time}–${slot.end_time}` : TEXTS[landing.kind];
  return (
    <li
      ref={element}
      aria-hidden
      className={styles.ghost}
      data-refused={landing.kind === 'none' || undefined}
      style={{ top: topOf(landing.place.minute, axis), height: (length / 60) * HOUR }}
    >
      {text}
    </li>
  );
}

const TEXTS: Record<string, string> = { origin: 'Current time', none: 'Not available', loading: 'Loading…' };
