/**
 * Pure functions that compute slots from a prepared catalog, claims, and `now` (contract B6, contract B7). Instants are
 * in whole epoch minutes, but `now` is in epoch milliseconds.
 */
export { bookingStart, bookingTimes } from './booking-times';
export { claimedMinutes } from './claimed-minutes';
export { type Interval, mergeIntervals } from './intervals';
export {
  type PreparedLocation,
  type PreparedService,
  type PreparedSpecialist,
  prepareLocation,
  prepareService,
  prepareSpecialist,
} from './prepare';
export {
  type BlockedTime,
  bookableStarts,
  type Claim,
  type DateRange,
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
  type SlotCheck,
  type SlotsQuery,
  type StartQuery,
  slotsForRange,
} from './slots';
export { closedIntervals, type Slot, type SlotSpecialist } from './timeline';
export { openTime, workingTime } from './working-time';
