import { db } from '@/lib/platform/db';
import { makeDesk } from '@/tests/support/bookings';
import { type Member, makeMember } from './applications-people';

/** Input for the tRPC procedures of services. */
export const SERVICE = {
  name: { en: 'Deep massage', de: 'Tiefenmassage' },
  description: { en: 'Sixty minutes.\nNo oil.' },
  category: { en: 'Massage', de: 'Massage' },
  duration_minutes: 60,
  slot_interval_minutes: 15,
  buffer_before_minutes: 5,
  buffer_after_minutes: 10,
  capacity: 1,
  price: { amount: 8900, currency: 'EUR' },
  min_lead_minutes: 120,
  max_advance_days: 90,
  cancellation_cutoff_minutes: 1440,
};

/** Input for the tRPC procedures of locations, with hours past midnight, a 24-hour day, and a closed date. */
export const LOCATION = {
  name: { en: 'Harbour', de: 'Hafen' },
  address: { line1: '2 Example Quay', city: 'Hamburg', postal_code: '20457', country: 'DE' },
  time_zone: 'Europe/Berlin',
  phone: '+49 40 5550 1234',
  hours: [
    { weekday: 1, opens: '09:00', closes: '12:00' },
    { weekday: 1, opens: '13:00', closes: '18:00' },
    { weekday: 5, opens: '18:00', closes: '02:00' },
    { weekday: 6, opens: '00:00', closes: '00:00' },
  ],
  exceptions: [{ date: '2026-12-24', hours: [], note: 'Closed' }],
};

/** Input for the tRPC procedures of specialists, with an empty `workplaces` list. */
export const SPECIALIST = {
  display_name: 'Kim Beispiel',
  title: { en: 'Therapist' },
  description: null,
  image_url: 'https://images.example/kim.png',
  workplaces: [],
  breaks: [{ weekday: 1, opens: '12:00', closes: '12:30' }],
  time_off: [{ from: '2027-01-01T00:00', to: '2027-01-08T00:00' }],
};

/** A catalog record as a procedure returns it. */
export type Got<Doc = Record<string, unknown>> = { id: string; version: number; record: Doc };

/**
 * A saved record, as the procedures return it. `outside.upcoming` is the number of all upcoming bookings of the record.
 * The other fields of `outside` describe those that the catalog no longer allows.
 */
export type Saved = {
  id: string;
  version: number;
  outside: { upcoming: number; count: number; complete: boolean; first: { reference: string; reason: string }[] };
};

/** Returns the data of a procedure's response. @throws Error if the procedure failed. */
export async function done<T>(reply: Promise<{ status: number; data: unknown; error: unknown }>): Promise<T> {
  const { status, data, error } = await reply;
  if (status !== 200) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data as T;
}

/** Creates a bookable business with an owner. */
export async function makeCatalog(options: Parameters<typeof makeDesk>[0] = {}) {
  const desk = await makeDesk(options);
  const owner = await makeMember(desk.tenant.id);
  return { ...desk, owner };
}

/** Returns a record's version and its `published` field. Returns its other fields as input for the update procedure. */
export async function editable(member: Member, kind: string, id: string) {
  const { version, record } = await done<Got>(member.query(`catalog.${kind}.get`, { id }));
  // The offerings of a service are changed with `add` and `remove`.
  const { published, offered_by: _, ...input } = record;
  return { version, published, input };
}

/** Returns the audit log entries of a record, oldest first. */
export function auditOf(objectId: string) {
  return db().auditLog.findMany({ where: { objectId }, orderBy: { id: 'asc' } });
}
