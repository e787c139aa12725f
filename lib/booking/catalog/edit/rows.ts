import { z } from 'zod';
import { Prisma } from '@/lib/platform/generated/prisma/client';

type Hours = { opens: string; closes: string };
type Weekly = Hours & { weekday: number };
type Dated = { date: string; hours: Hours[]; note: string | null };

const texts = z.record(z.string(), z.string());
const datedHours = z.array(z.object({ opens: z.string(), closes: z.string() }));

/** Returns a text of the database; `{}`, which the column of descriptions allows, says nothing. */
export function optionalTexts(value: Prisma.JsonValue): Record<string, string> | null {
  if (value === null) return null;
  const parsed = texts.parse(value);
  return Object.keys(parsed).length > 0 ? parsed : null;
}

/** Returns a text of the database that cannot be missing. */
export function requiredTexts(value: Prisma.JsonValue): Record<string, string> {
  return texts.parse(value);
}

/** Returns what a nullable JSON column is written with: null itself would be ambiguous with JSON's null. */
export function jsonOrNull(value: Record<string, string> | null) {
  return value ?? Prisma.DbNull;
}

/** Returns weekly hours in the order of the week. */
export function weeklyOf(rows: readonly Weekly[]): Weekly[] {
  return rows
    .map(({ weekday, opens, closes }) => ({ weekday, opens, closes }))
    .sort((a, b) => a.weekday - b.weekday || (a.opens < b.opens ? -1 : 1));
}

// `date` and `timestamp` columns have no zone; the driver hands them over, and takes them, as if they were UTC.

/** Returns dated exceptions in the order of dates. */
export function exceptionsOf(rows: readonly { date: Date; hours: unknown; note: string | null }[]): Dated[] {
  return rows
    .map(({ date, hours, note }) => ({ date: date.toISOString().slice(0, 10), hours: datedHours.parse(hours), note }))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** Returns what the columns of a dated exception are written with. */
export function exceptionColumns({ date, hours, note }: Dated) {
  return { date: new Date(`${date}T00:00:00Z`), hours, note };
}

/** Returns a local time, `YYYY-MM-DDTHH:MM`. */
export function localTime(date: Date): string {
  return date.toISOString().slice(0, 16);
}

/** Returns what a column of local time is written with. */
export function localColumn(text: string): Date {
  return new Date(`${text}:00Z`);
}
