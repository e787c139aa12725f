import type { Translator } from '@/app/_components/language';
import type { OperationReason } from '@/lib/contract/errors/reasons';
import type { Block, Column } from './columns';

type Span = { start_minute: number; end_minute: number };

type Context = { column: Column; block: Block; minute: number; location: string };

/** Why the server can refuse to reschedule a booking. If `KEYS` lacks a reason, this file does not compile. */
type MoveReason = OperationReason<'rescheduleBooking', 'booking_unavailable'>;

type Key = Exclude<Parameters<Translator<'bookings.refusal'>>[0], 'other'>;

const KEYS: Record<MoveReason, Key | ((context: Context) => Key)> = {
  slot_taken: 'slot_taken',
  off_grid: 'off_grid',
  outside_schedule: outsideKey,
  specialist_unavailable: 'specialist_unavailable',
  service_unpublished: 'service_unpublished',
  lead_time: 'lead_time',
  max_advance: 'max_advance',
  nonexistent_local_time: 'nonexistent_local_time',
  same_slot: 'same_slot',
  outside_cancellation_window: 'outside_cancellation_window',
  booking_not_active: 'booking_not_active',
};

/** Returns the text that says why a booking cannot move to a place in the calendar. `reason` is the server's reason. */
export function refusalText(t: Translator<'bookings.refusal'>, reason: string | null, context: Context): string {
  if (!isMoveReason(reason)) return t('other');
  const key = KEYS[reason];
  const { column, block, location } = context;
  const specialist = (column.specialist ?? block.specialist).name;
  return t(typeof key === 'string' ? key : key(context), { specialist, service: block.service.name, location });
}

function isMoveReason(reason: string | null): reason is MoveReason {
  return reason !== null && Object.hasOwn(KEYS, reason);
}

function outsideKey({ column, block, minute }: Context): Key {
  const length = block.end_minute - block.start_minute;
  const wanted = { start_minute: minute, end_minute: minute + length };
  if (!isWithin(wanted, column.opening)) return 'closed';
  if (column.blocked.some((part) => part.start_minute < minute + length && minute < part.end_minute)) return 'blocked';
  if (!column.specialist) return 'notWorkingOrGrid';
  return isWithin(wanted, column.working) ? 'off_grid' : 'notWorking';
}

function isWithin({ start_minute, end_minute }: Span, spans: readonly Span[]): boolean {
  return spans.some((span) => span.start_minute <= start_minute && end_minute <= span.end_minute);
}
