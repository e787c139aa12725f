/**
 * A text in the sandbox's three languages. It is a type instead of an interface, because an interface is not assignable
 * to Prisma's JSON type.
 */
export type Text = { readonly en: string; readonly de: string; readonly fr: string };

/** Returns a text in English, German, and French. */
export function text(en: string, de: string, fr: string): Text {
  return { en, de, fr };
}

/**
 * An interval from `opens` to `closes`, both as `HH:MM`. If `closes` is not later than `opens`, the interval ends on
 * the next day (contract B6).
 */
export type Hours = { readonly opens: string; readonly closes: string };

/** Weekly hours. Weekday 1 is Monday, and 7 is Sunday. */
export type WeeklyHours = Hours & { readonly weekday: number };

/** Returns weekly hours that are the same on several weekdays. */
export function weekly(weekdays: readonly number[], opens: string, closes: string): WeeklyHours[] {
  return weekdays.map((weekday) => ({ weekday, opens, closes }));
}

export const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];
export const MONDAY_TO_SATURDAY = [1, 2, 3, 4, 5, 6];
export const TUESDAY_TO_SATURDAY = [2, 3, 4, 5, 6];
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/**
 * A day in the weeks after seeding. `week` is the number of weeks after the current one, at least 1, so that the day is
 * in the future. `weekday` is fixed, so that it is known which weekly hours the day affects.
 */
export type RelativeDay = { readonly week: number; readonly weekday: number };

/** A dated exception, which replaces the hours that start on that day. An empty list means closed. */
export type ExceptionSeed = RelativeDay & { readonly hours: readonly Hours[]; readonly note: string };

export type LocationSeed = {
  readonly key: string;
  readonly number: number;
  readonly name: Text;
  readonly line1: string;
  readonly city: string;
  readonly postalCode: string;
  readonly country: string;
  readonly timeZone: string;
  readonly phone: string | null;
  readonly published: boolean;
  readonly hours: readonly WeeklyHours[];
  readonly exceptions: readonly ExceptionSeed[];
};

export type ServiceSeed = {
  readonly key: string;
  readonly number: number;
  readonly name: Text;
  readonly description: Text | null;
  /** Duration in minutes. */
  readonly minutes: number;
  /** Minutes between possible start times. */
  readonly interval: number;
  /** Buffers before and after the appointment in minutes. */
  readonly buffers?: readonly [before: number, after: number];
  /** Price in minor units; null if the price is not public. */
  readonly price: number | null;
  /** Currency of the price. Default: EUR. */
  readonly currency?: 'USD' | 'INR' | 'AUD';
  /** Number of seats of a group service. Default: 1. */
  readonly capacity?: number;
  readonly leadHours: number;
  readonly horizonDays: number;
  readonly cutoffHours: number;
  /** Omitted for a published service. */
  readonly published?: false;
};

/** Services that share a category. The category is null for services without one. */
export type ServiceGroup = { readonly category: Text | null; readonly services: readonly ServiceSeed[] };

/** A specialist's work at one location. The specialist offers all the listed services there. */
export type WorkplaceSeed<Location extends string, Service extends string> = {
  readonly location: Location;
  readonly services: readonly Service[];
  readonly hours: readonly WeeklyHours[];
  readonly exceptions?: readonly ExceptionSeed[];
};

/** A specialist's time off, in local time. */
export type TimeOffSeed = {
  readonly from: RelativeDay & { readonly time: string };
  readonly to: RelativeDay & { readonly time: string };
};
