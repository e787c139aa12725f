/** `HH:MM`. `closes` can be 24:00. If it is not after `opens`, the hours end on the next day (contract B6). */
export interface HoursRecord {
  readonly opens: string;
  readonly closes: string;
}

/** Weekday 1 is Monday, 7 is Sunday. */
export interface WeeklyHoursRecord extends HoursRecord {
  readonly weekday: number;
}

/** Replaces the weekly hours that start on one date. */
export interface ExceptionRecord {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly hours?: readonly HoursRecord[] | null;
}

/** `YYYY-MM-DDTHH:MM`, local. `from` is inclusive, `to` is exclusive. */
export interface TimeOffRecord {
  readonly from: string;
  readonly to: string;
}

/** Without opening hours, the location is closed. */
export interface LocationRecord {
  readonly id: string;
  /** The tenant, whose blocks close all its locations. */
  readonly tenantId: string;
  /** The IANA name of the time zone. */
  readonly timeZone: string;
  readonly opening: readonly WeeklyHoursRecord[];
  readonly exceptions?: readonly ExceptionRecord[] | null;
}

/** At one location. */
export interface SpecialistRecord {
  readonly id: string;
  readonly working: readonly WeeklyHoursRecord[];
  readonly breaks?: readonly WeeklyHoursRecord[] | null;
  readonly exceptions?: readonly ExceptionRecord[] | null;
  readonly timeOff?: readonly TimeOffRecord[] | null;
}

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
