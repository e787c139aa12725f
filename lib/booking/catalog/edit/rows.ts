import { z } from 'zod';
import { Prisma } from '@/lib/platform/generated/prisma/client';

type Hours = { opens: string; closes: string };
type Weekly = Hours & { weekday: number };
type Dated = { date: string; hours: Hours[]; note: string | null };

const texts = z.record(z.string(), z.string());
const datedHours = z.array(z.object({ opens: z.string(), closes: z.string() }));

/** Parses an optional text by language. Null for SQL NULL and for an empty object, which a description can contain. */
export function optionalTexts(value: Prisma.JsonValue): Record<string, string> | null {
  if (value === null) return null;
  const parsed = texts.parse(value);
  return Object.keys(parsed).length > 0 ? parsed : null;
}

/** Parses a required text, stored as an object with one entry per language. */
export function requiredTexts(value: Prisma.JsonValue): Record<string, string> {
  return texts.parse(value);
}

/** Replaces null with SQL NULL. For JSON columns, Prisma does not accept null, because it could also mean JSON null. */
export function jsonOrNull(value: Record<string, string> | null) {
  return value ?? Prisma.DbNull;
}

/** Returns weekly hours ordered by weekday and time. */
export function weeklyOf(rows: readonly Weekly[]): Weekly[] {
  return rows
    .map(({ weekday, opens, closes }) => ({ weekday, opens, closes }))
    .sort((a, b) => a.weekday - b.weekday || (a.opens < b.opens ? -1 : 1));
}

// `date` and `timestamp` columns have no time zone. The driver reads and writes their values as UTC.

/** Returns dated exceptions ordered by date. */
export function exceptionsOf(rows: readonly { date: Date; hours: unknown; note: string | null }[]): Dated[] {
  return rows
    .map(({ date, hours, note }) => ({ date: date.toISOString().slice(0, 10), hours: datedHours.parse(hours), note }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Returns the values of the columns in which a dated exception is stored. */
export function exceptionColumns({ date, hours, note }: Dated) {
  return { date: new Date(`${date}T00:00:00Z`), hours, note };
}

/** Formats a value of a `timestamp` column as `YYYY-MM-DDTHH:MM`. */
export function localTime(date: Date): string {
  return date.toISOString().slice(0, 16);
}

/** Returns the value of a `timestamp` column for a local time `YYYY-MM-DDTHH:MM`. */
export function localColumn(text: string): Date {
  return new Date(`${text}:00Z`);
}
