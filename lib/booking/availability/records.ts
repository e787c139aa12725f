/**
 * Hours with local times `HH:MM`. `closes` can be 24:00. If `closes` is not after `opens`, the hours end on the next
 * day (contract B6).
 */
export interface HoursRecord {
  readonly opens: string;
  readonly closes: string;
}

/** Hours that start on the same weekday every week. Weekday 1 is Monday, 7 is Sunday. */
export interface WeeklyHoursRecord extends HoursRecord {
  readonly weekday: number;
}

/** The hours that start on one date instead of the weekly hours. Without `hours`, no hours start on this date. */
export interface ExceptionRecord {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly hours?: readonly HoursRecord[] | null;
}

/** A period of time off with local times `YYYY-MM-DDTHH:MM`. `from` is inclusive, `to` is exclusive. */
export interface TimeOffRecord {
  readonly from: string;
  readonly to: string;
}

/** A location in the catalog. Without opening hours, the location is closed. */
export interface LocationRecord {
  readonly id: string;
  /** The IANA name of the time zone. */
  readonly timeZone: string;
  readonly opening: readonly WeeklyHoursRecord[];
  readonly exceptions?: readonly ExceptionRecord[] | null;
}

/** The hours of a specialist at one location. */
export interface SpecialistRecord {
  readonly id: string;
  readonly working: readonly WeeklyHoursRecord[];
  readonly breaks?: readonly WeeklyHoursRecord[] | null;
  readonly exceptions?: readonly ExceptionRecord[] | null;
  readonly timeOff?: readonly TimeOffRecord[] | null;
}

/** The scheduling rules of a service. */
export interface ServiceRecord {
  readonly id: string;
  readonly durationMinutes: number;
  readonly slotIntervalMinutes: number;
  readonly bufferBeforeMinutes: number;
  readonly bufferAfterMinutes: number;
  readonly capacity: number;
  readonly minLeadMinutes: number;
  readonly maxAdvanceDays: number;
}
