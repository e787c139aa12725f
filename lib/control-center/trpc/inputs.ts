import { z } from 'zod';
import { calendarDate } from '@/lib/contract/common';

/** A calendar date that PostgreSQL can store. The year 0 is excluded, because PostgreSQL has no year 0. */
export const storedDate = calendarDate.refine((date) => !date.startsWith('0000'), 'must be an existing date');

/** A count in an output. */
export const count = z.int().min(0);

/** A timestamp in an output, as an ISO 8601 text. */
export const outputTime = z.date().transform((date) => date.toISOString());

/** A UTC timestamp in an input. */
export const inputTime = z.iso.datetime({ message: 'must be a UTC timestamp' }).transform((text) => new Date(text));
