/** Text in the sandbox's three languages. A type instead of an interface, so that it is assignable to Prisma's JSON. */
export type Text = { readonly en: string; readonly de: string; readonly fr: string };

/** Returns a text in English, German, and French. */
export function text(en: string, de: string, fr: string): Text {
  return { en, de, fr };
}

/** From `opens` to `closes`, `HH:MM`. If `closes` is not after `opens`, it is on the next day (contract B6). */
export type Hours = { readonly opens: string; readonly closes: string };

/** Weekly hours; 1 is Monday, 7 is Sunday. */
export type WeeklyHours = Hours & { readonly weekday: number };

/** Returns the same hours on several weekdays. */
export function weekly(weekdays: readonly number[], opens: string, closes: string): WeeklyHours[] {
  return weekdays.map((weekday) => ({ weekday, opens, closes }));
}

export const MONDAY_TO_FRIDAY = [1, 2, 3, 4, 5];
export const MONDAY_TO_SATURDAY = [1, 2, 3, 4, 5, 6];
export const TUESDAY_TO_SATURDAY = [2, 3, 4, 5, 6];
export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/**
 * A day in the weeks after seeding: a weekday of the week that begins `week` Mondays after the current one. `week` is
 * at least 1, so that the day is in the future. The weekday is fixed, so that the affected hours are known.
 */
export type RelativeDay = { readonly week: number; readonly weekday: number };

/** A dated exception: replaces the hours that start on that day; no hours means closed. */
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
  /** Duration. */
  readonly minutes: number;
  /** Minutes between possible start times. */
  readonly interval: number;
  /** Buffer minutes. */
  readonly buffers?: readonly [before: number, after: number];
  /** Minor units; null for no public price. */
  readonly price: number | null;
  /** EUR by default. */
  readonly currency?: 'USD' | 'INR' | 'AUD';
  /** Seats of a group; 1 by default. */
  readonly capacity?: number;
  readonly leadHours: number;
  readonly horizonDays: number;
  readonly cutoffHours: number;
  /** Published unless false. */
  readonly published?: false;
};

/** Services that share a category; null for those that have none. */
export type ServiceGroup = { readonly category: Text | null; readonly services: readonly ServiceSeed[] };

/** A specialist's work at one location, where they offer all the services. */
export type WorkplaceSeed<Location extends string, Service extends string> = {
  readonly location: Location;
  readonly services: readonly Service[];
  readonly hours: readonly WeeklyHours[];
  readonly exceptions?: readonly ExceptionSeed[];
};

/** Time off, in local time. */
export type TimeOffSeed = {
  readonly from: RelativeDay & { readonly time: string };
  readonly to: RelativeDay & { readonly time: string };
};
