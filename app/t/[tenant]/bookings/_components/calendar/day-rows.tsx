'use client';

import { Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormats } from '@/app/_components/language';
import { Link } from '@/app/_components/link';
import rowLink from '../../../_components/tables/row-link.module.css';
import { useCustomerNames } from '../display/customer-names';
import { timesText } from '../display/format';
import { termsTexts } from '../display/terms';
import { bookingHref } from '../query';
import type { Block, BlockBooking, Blocked, Column } from './columns';
import styles from './day-rows.module.css';
import type { BlockOpener } from './gestures';

type Props = {
  label: string;
  columns: readonly Column[];
  /** The current minute of the day; null if it is another day. */
  now: number | null;
  busy: boolean;
  block: BlockOpener | null;
};

type Row = { key: string; start: number; end: number } & (
  | { kind: 'booking'; block: Block; booking: BlockBooking }
  | { kind: 'blocked'; part: Blocked; column: Column }
);

/** The day on a narrow screen: one row of two lines per booking, in order. Today, it begins with what is not over. */
export function DayRows({ label, columns, now, busy, block }: Props) {
  const t = useTranslations('bookings.rows');
  const [showsEarlier, setShowsEarlier] = useState(false);
  const rows = rowsOf(columns);
  const earlier = rows.filter(({ end }) => now !== null && end <= now);
  const shown = showsEarlier ? rows : rows.filter((row) => !earlier.includes(row));
  return (
    <section aria-label={label} aria-busy={busy}>
      {earlier.length > 0 && (
        <Button
          variant="subtle"
          size="sm"
          fullWidth
          aria-expanded={showsEarlier}
          onClick={() => setShowsEarlier(!showsEarlier)}
        >
          {showsEarlier ? t('hideEarlier') : t('showEarlier', { count: earlier.length })}
        </Button>
      )}
      {shown.length === 0 ? (
        <p className={styles.none}>{t(rows.length === 0 ? 'none' : 'nothingMore')}</p>
      ) : (
        // biome-ignore lint/a11y/noRedundantRoles: some screen readers ignore lists without bullets.
        <ul className={styles.rows} role="list" style={{ opacity: busy ? 0.55 : 1 }}>
          {shown.map((row) =>
            row.kind === 'booking' ? (
              <BookingRow key={row.key} block={row.block} booking={row.booking} isOver={earlier.includes(row)} />
            ) : (
              <BlockedRow key={row.key} part={row.part} column={row.column} open={block} />
            ),
          )}
        </ul>
      )}
    </section>
  );
}

/** Returns the bookings and the blocked times of all columns, ordered by start. Each block of several columns is one row. */
function rowsOf(columns: readonly Column[]): Row[] {
  const rows = new Map<string, Row>();
  for (const column of columns) {
    for (const block of column.blocks) {
      const times = { start: block.start_minute, end: block.end_minute };
      for (const booking of block.bookings) {
        const key = booking.reference;
        rows.set(key, { kind: 'booking', key, ...times, block, booking });
      }
    }
    for (const part of column.blocked) {
      const key = `${part.block.id} ${part.start_minute}`;
      rows.set(key, { kind: 'blocked', key, start: part.start_minute, end: part.end_minute, part, column });
    }
  }
  return [...rows.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

function BookingRow({ block, booking, isOver }: { block: Block; booking: BlockBooking; isOver: boolean }) {
  const t = useTranslations('bookings');
  const terms = useTranslations('bookings.terms');
  const reasons = useTranslations('affected.list.reasons');
  const words = useTranslations('words');
  const format = useFormats();
  const name = useCustomerNames().get(booking.reference);
  const { seats } = block;
  return (
    <li
      className={`${rowLink.row} ${styles.row}`}
      data-over={isOver || undefined}
      data-outside={booking.outside !== null || undefined}
    >
      <span className={styles.line}>
        <Link href={bookingHref(booking.reference)} className={rowLink.link}>
          {timesText(format, block)} <span className={styles.service}>{block.service.name}</span>
        </Link>
        {seats.capacity > 1 && (
          <span className={styles.mark}>
            {seats.taken}/{seats.capacity}
          </span>
        )}
        {booking.status !== 'confirmed' && (
          <span className={styles.mark}>{words(`bookingStatus.${booking.status}`)}</span>
        )}
      </span>
      <span className={styles.second}>
        <bdi>{name ?? booking.external_reference}</bdi> ·{' '}
        {[block.specialist.name, ...termsTexts(terms, format, booking, block.date)].join(' · ')}
        {booking.outside && (
          <VisuallyHidden>, {t('outside.attention', { reason: reasons(booking.outside) })}</VisuallyHidden>
        )}
      </span>
    </li>
  );
}

type BlockedProps = { part: Blocked; column: Column; open: BlockOpener | null };

/** For owners, the row of a block that an owner made is a button that opens it. */
function BlockedRow({ part, column, open }: BlockedProps) {
  const t = useTranslations('bookings.rows');
  const format = useFormats();
  const { block } = part;
  const who = block.specialist_id === null ? t('everybody') : column.title;
  const text = t(block.source === 'owner' ? 'blocked' : 'busy', { time: timesText(format, part) });
  return (
    <li className={`${rowLink.row} ${styles.row} ${styles.blocked}`}>
      {open && block.source === 'owner' ? (
        <UnstyledButton className={rowLink.link} fz="md" onClick={() => open({ block, column })}>
          {text}
        </UnstyledButton>
      ) : (
        <span>{text}</span>
      )}
      <span className={styles.second}>{[who, ...(block.reason ? [block.reason] : [])].join(' · ')}</span>
    </li>
  );
}
