/** From `opens` to `closes`, wall clock `HH:MM`. `closes` may be 24:00; up to `opens` it is on the next day (B6). */
export interface HoursRecord {
  readonly opens: string;
  readonly closes: string;
}

/** Hours that start on one weekday of every week: 1 is Monday, 7 is Sunday. */
export interface WeeklyHoursRecord extends HoursRecord {
  readonly weekday: number;
}

/** Replaces the hours that start on one date; without hours, closed. */
export interface ExceptionRecord {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly hours?: readonly HoursRecord[] | null;
}

/** Local time `YYYY-MM-DDTHH:MM`, from inclusive, to exclusive. */
export interface TimeOffRecord {
  readonly from: string;
  readonly to: string;
}

/** A location as the catalog stores it. No opening hours means closed. */
export interface LocationRecord {
  readonly id: string;
  /** IANA name */
  readonly timeZone: string;
  readonly opening: readonly WeeklyHoursRecord[];
  readonly exceptions?: readonly ExceptionRecord[] | null;
}

/** A specialist at one location, as the catalog stores it. */
export interface SpecialistRecord {
  readonly id: string;
  readonly working: readonly WeeklyHoursRecord[];
  readonly breaks?: readonly WeeklyHoursRecord[] | null;
  readonly exceptions?: readonly ExceptionRecord[] | null;
  readonly timeOff?: readonly TimeOffRecord[] | null;
}

/** A service as the catalog stores it. */
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
