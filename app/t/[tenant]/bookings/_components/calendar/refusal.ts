import type { OperationReason } from '@/lib/contract/errors/reasons';
import type { Block, Column } from './columns';

type Span = { start_minute: number; end_minute: number };

/** The values that a refusal's text mentions. */
type Context = { column: Column; block: Block; minute: number; location: string };

/** Why the server can refuse to reschedule a booking. If `TEXTS` lacks a reason, this file does not compile. */
type MoveReason = OperationReason<'rescheduleBooking', 'booking_unavailable'>;

const TEXTS: Record<MoveReason, (context: Context) => string> = {
  slot_taken: ({ column, block }) => `${nameOf(column, block)} has another booking at that time.`,
  off_grid: ({ block }) => `${block.service.name} cannot be booked with that start time.`,
  outside_schedule: outsideText,
  specialist_unavailable: ({ column, block }) =>
    `${nameOf(column, block)} does not offer ${block.service.name} at this location.`,
  service_unpublished: ({ block }) => `${block.service.name} is not published.`,
  lead_time: ({ block }) => `The time is in the past, or ${block.service.name} requires more notice.`,
  max_advance: ({ block }) => `${block.service.name} cannot be booked that far ahead.`,
  nonexistent_local_time: () => 'This time does not exist on that day because the clocks change.',
  same_slot: () => 'The booking is already at this time.',
  outside_cancellation_window: () => 'The deadline for changes to this booking has passed.',
  booking_not_active: () => 'The booking can no longer be rescheduled.',
};

/** Returns the text that says why a booking cannot move to a place in the calendar. `reason` is the server's reason. */
export function refusalText(reason: string | null, context: Context): string {
  return isMoveReason(reason) ? TEXTS[reason](context) : 'This time is not available.';
}

function isMoveReason(reason: string | null): reason is MoveReason {
  return reason !== null && Object.hasOwn(TEXTS, reason);
}

function outsideText({ column, block, minute, location }: Context): string {
  const length = block.end_minute - block.start_minute;
  const wanted = { start_minute: minute, end_minute: minute + length };
  if (!isWithin(wanted, column.opening)) return `${location} is closed at that time.`;
  if (column.blocked.some((part) => part.start_minute < minute + length && minute < part.end_minute))
    return 'This time is blocked.';
  if (column.specialist && !isWithin(wanted, column.working))
    return `${column.specialist.name} does not work at that time.`;
  if (!column.specialist)
    return `${block.specialist.name} does not work at that time, or ${block.service.name} cannot be booked with that start time.`;
  return `${block.service.name} cannot be booked with that start time.`;
}

function isWithin({ start_minute, end_minute }: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span.start_minute <= start_minute && end_minute <= span.end_minute);
}

/** Returns the name of the specialist to whom a booking would be moved. */
function nameOf(column: Column, { specialist }: Block): string {
  return (column.specialist ?? specialist).name;
}
