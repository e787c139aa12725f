/**
 * The slot engine: pure functions from a prepared catalog, claims and `now` to slots (contract B6, B7). Instants are
 * whole minutes since the epoch unless a name says otherwise; only `now` is in milliseconds.
 */
export { bookingTimes } from './booking-times';
export { claimedMinutes } from './claimed-minutes';
export type { Interval } from './intervals';
export { formatInstant, localDayBounds, localToInstant } from './local-time';
export {
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  prepareLocation,
  prepareService,
  prepareSpecialist,
} from './prepare';
export {
  type Claim,
  type DateRange,
  type ExcludedSeat,
  paddedRange,
} from './query';
export type {
  ExceptionRecord,
  HoursRecord,
  LocationRecord,
  ServiceRecord,
  SpecialistRecord,
  TimeOffRecord,
  WeeklyHoursRecord,
} from './records';
export {
  type BookableSlot,
  checkSlot,
  formatSlotTimes,
  type SlotsQuery,
  type StartQuery,
  slotsForRange,
} from './slots';
export type { Slot, SlotSpecialist } from './timeline';
export { workingTime } from './working-time';
export { zoneOf } from './zone';
