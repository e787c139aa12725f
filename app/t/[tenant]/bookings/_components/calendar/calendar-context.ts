'use client';

import { createSafeContext } from '@mantine/core';
import type { MouseEvent, PointerEvent } from 'react';
import type { Axis, Block, BlockBooking, Column } from './columns';
import type { BlockOpener, BookOpener, Selection } from './gestures';
import type { MoveState } from './use-move';

export type CalendarState = {
  axis: Axis;
  columnKind: 'specialist' | 'day';
  /** The state of a drag (see `useMove`). */
  drag: MoveState;
  /** The ID of the only link in the calendar that the Tab key reaches. Null if there is no such link. */
  stop: string | null;
  /** Returns the URL of a day's schedule. A column links to it in place of bookings that do not fit side by side. */
  moreHref: (column: Column) => string;
  /** Returns the current time as a minute on the time axis; null if the column does not show today. */
  nowIn: (column: Column) => number | null;
  /** Opens the dialog that reschedules a booking. Null if the member may not move bookings. */
  reschedule: ((booking: BlockBooking, block: Block) => void) | null;
  /** Opens the form for a block: an existing one, or a new one at a time of a column. Null if the member may not. */
  block: BlockOpener | null;
  /** Opens the page that makes a booking. Null if the member may not make bookings. */
  book: BookOpener | null;
  selection: Selection | null;
  select: (event: PointerEvent, column: Column) => void;
  click: (event: MouseEvent, column: Column) => void;
  press: (event: PointerEvent, booking: BlockBooking, block: Block, column: string) => void;
};

export const [CalendarProvider, useCalendar] = createSafeContext<CalendarState>('calendar');
