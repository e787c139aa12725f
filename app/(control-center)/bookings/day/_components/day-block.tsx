'use client';

import { Anchor, Text } from '@mantine/core';
import Link from 'next/link';
import { useId } from 'react';
import { STATUS_NAMES } from '../../_components/format';
import { bookingHref } from '../../_components/query';
import type { BookingDay } from '../../_components/types';
import styles from './day.module.css';

/**
 * Height of one hour, and minimum height of the block that shows a booking, in pixels. A shorter block would be hard to
 * click.
 */
export const HOUR = 84;
const MIN_HEIGHT = 46;

type Block = BookingDay['columns'][number]['blocks'][number];

/** One appointment of a specialist. A group shows how many of its seats are taken. */
export function DayBlock({ block, from }: { block: Block; from: number }) {
  const service = useId();
  const { guests, seats } = block;
  const isOver = guests.every(({ status }) => status !== 'confirmed');
  const style = {
    top: ((block.start_minute - from) / 60) * HOUR + 1,
    height: Math.max(MIN_HEIGHT, ((block.end_minute - block.start_minute) / 60) * HOUR) - 2,
  };
  return (
    <li className={`${styles.block} ${isOver ? styles.over : ''}`} style={style}>
      <Text span fz={12} fw={600} id={service}>
        {block.start_time}–{block.end_time} {block.service.name}
        {seats.capacity > 1 && ` · ${seats.taken}/${seats.capacity}`}
      </Text>
      <ul className={styles.guests} aria-labelledby={service}>
        {guests.map((guest) => (
          <li key={guest.reference}>
            <Anchor
              component={Link}
              href={bookingHref(guest.reference)}
              prefetch={false}
              className={styles.guest}
              fz={12}
              title={`${guest.external_reference}, ${guest.application_name}`}
            >
              {guest.external_reference}
              {guest.status !== 'confirmed' && ` · ${STATUS_NAMES[guest.status]}`}
            </Anchor>
          </li>
        ))}
      </ul>
    </li>
  );
}
