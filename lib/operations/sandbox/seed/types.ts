/**
 * Text in the sandbox's languages. A type alias is used, because TypeScript cannot assign an interface to Prisma's JSON
 * type.
 */
export type Text = { readonly en: string; readonly de: string; readonly fr: string };

/** Returns text in English, German, and French. */
export function text(en: string, de: string, fr: string): Text {
  return { en, de, fr };
}

/** Hours as `HH:MM`. If `closes` is not later than `opens`, the hours end on the next day (contract B6). */
export type Hours = { readonly opens: string; readonly closes: string };

/** Weekly hours. Weekday 1 is Monday, and 7 is Sunday. */
export type WeeklyHours = Hours & { readonly weekday: number };

/** Returns the same hours for each of several weekdays. */
export function weekly(weekdays: readonly number[], opens: string, closes: string): WeeklyHours[] {
  return weekdays.map((weekday) => ({ weekday, opens, closes }));
}

export const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];
export const MONDAY_TO_SATURDAY = [1, 2, 3, 4, 5, 6];
export const TUESDAY_TO_SATURDAY = [2, 3, 4, 5, 6];
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/**
 * A date: a weekday, in the week that is `week` weeks after the week in which the sandbox is seeded. An exception is
 * always on the same weekday, so it always replaces the same weekly hours.
 */
export type RelativeDay = { readonly week: number; readonly weekday: number };

/** An exception on one date. `hours` are the hours on that date, in place of the weekly hours. They can be empty. */
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
  /** The duration in minutes. */
  readonly minutes: number;
  /** Number of minutes between the starts of two consecutive slots. */
  readonly interval: number;
  /** The buffers before and after the appointment, in minutes. */
  readonly buffers?: readonly [before: number, after: number];
  /** The price in minor units. Null if the price is not public. */
  readonly price: number | null;
  /** The currency of the price. The default is EUR. */
  readonly currency?: 'USD' | 'INR' | 'AUD';
  /** The number of seats in a group service. The default is 1. */
  readonly capacity?: number;
  readonly leadHours: number;
  readonly horizonDays: number;
  readonly cutoffHours: number;
  /** False for an unpublished service. */
  readonly published?: false;
};

/** Services with the same category. `category` is null for services without a category. */
export type ServiceGroup = { readonly category: Text | null; readonly services: readonly ServiceSeed[] };

/** A specialist's hours and services at one location. */
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
