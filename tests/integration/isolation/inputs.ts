import { randomBytes } from 'node:crypto';
import type { AnyProcedure } from '@trpc/server';
import type { z } from 'zod';
import { appRouter } from '@/lib/control-center/trpc/router';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { POLICY } from '../control-center/applications-people';
import { SPECIALIST } from '../control-center/catalog-records';
import { ENTRIES, PASSWORD } from '../control-center/every-procedure-entries';
import type { Values, World } from './world';

/** The path and the type of every procedure, read from tRPC's registry. */
export const PROCEDURES = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>).map(
  ([path, { _def }]) => ({ path, type: _def.type === 'query' ? ('query' as const) : ('mutation' as const) }),
);

const AT = '2030-01-07T10:00:00.000Z';
const limited = ({ locationId }: Values) => ({ ...POLICY, all_locations: false, location_ids: [locationId] });
const places = ({ specialistId, locationId }: Values) => [{ specialist_id: specialistId, location_id: locationId }];
const workplaces = ({ locationId, serviceId }: Values) => ({
  ...SPECIALIST,
  workplaces: [{ location_id: locationId, service_ids: [serviceId] }],
});
/** The input in `ENTRIES` for the location instead of the specialist. */
const ofLocation = (values: Values, path: string) => ({
  ...Object(ENTRIES[path]?.input(values as never)),
  subject: { specialist_id: null, location_id: values.locationId },
});
const searched = ({ word }: Values) => [{ search: word }];
const move = ({ reference, specialistId }: Values) => ({
  reference,
  specialist_id: specialistId,
  date: dayAhead(),
  start_time: '15:00',
});
const wanted = ({ serviceId, locationId, specialistId }: Values) => ({
  service_id: serviceId,
  location_id: locationId,
  specialist_id: specialistId,
});
const logged = ({ applicationId, keyId, reference, word }: Values) => [
  { application_id: applicationId },
  { key_id: keyId },
  { reference },
  { reference: `${word}-4711` },
];

/**
 * Further inputs for procedures, by path. They contain values that the procedure's input in `ENTRIES` lacks. Both
 * inputs are used, except for the procedures in `REPLACED`.
 */
const MORE: Record<string, (values: Values) => object[]> = {
  'applications.list': searched,
  'applications.create': (values) => [limited(values)],
  'applications.preview': (values) => [{ application_id: values.applicationId, ...limited(values) }],
  'applications.update': (values) => [
    { application_id: values.applicationId, ...limited(values), expected_version: 1 },
  ],
  'calendars.list': ({ locationId }) => [{ specialist_id: null, location_id: locationId }],
  'calendars.add': (values) => [ofLocation(values, 'calendars.add')],
  'calendars.upload': (values) => [ofLocation(values, 'calendars.upload')],
  'calendar_feeds.create': ({ locationId }) => [{ subject: { kind: 'location', id: locationId } }],
  'catalog.preview': (values) => [{ ...wanted(values), date: dayAhead(), start_time: '15:00' }],
  'catalog.services.list': (values) => [...searched(values), { category: values.word }],
  'catalog.locations.list': searched,
  'catalog.specialists.list': searched,
  'catalog.specialists.create': (values) => [{ record: workplaces(values) }],
  'catalog.specialists.update': (values) => [
    { id: values.specialistId, expected_version: 1, record: workplaces(values) },
  ],
  'catalog.services.update': (values) => [
    { ...Object(ENTRIES['catalog.services.update']?.input(values as never)), add: places(values) },
    { ...Object(ENTRIES['catalog.services.update']?.input(values as never)), remove: places(values) },
  ],
  'audit.list': ({ ownerId, applicationId, auditId }) => [
    { person: ownerId },
    { object_id: applicationId },
    { cursor: `${AT}_${auditId}` },
  ],
  'audit.refused_calls': ({ ownerId, refusedId }) => [{ person: ownerId }, { cursor: `${AT}_${refusedId}` }],
  'audit.sign_ins': ({ ownerId, signInId }) => [{ person: ownerId }, { cursor: `${AT}_${signInId}` }],
  'blocks.list': ({ specialistId, locationId }) => [
    { specialist_id: specialistId, location_id: null },
    { specialist_id: null, location_id: locationId },
  ],
  'blocks.create': (values) => [
    {
      subject: { specialist_id: null, location_id: values.locationId },
      block: { from: '2030-01-09T10:00', to: '2030-01-09T11:00', repeat: null, reason: null },
    },
  ],
  'statistics.bookings': ({ locationId, serviceId, specialistId, applicationId }) =>
    [
      { location_id: locationId },
      { service_id: serviceId },
      { specialist_id: specialistId },
      { application_id: applicationId },
    ].map((one) => ({ ...one, from: '2026-01-01', to: '2026-12-31' })),
  'bookings.list': ({ locationId, serviceId, specialistId, applicationId, reference, word }) => [
    { location_id: locationId },
    { service_id: serviceId },
    { specialist_id: specialistId },
    { application_id: applicationId },
    { reference },
    { reference: `${word}-4711` },
    { cursor: `2020-01-01T10:00:00.000Z_${reference}` },
  ],
  'bookings.find_by_phone': ({ phone }) => [{ phone }, { national: phone.replace('+49 ', '0') }],
  'bookings.names': ({ reference }) => [{ view: 'day', references: [reference] }],
  'privacy.customer.find': ({ phone, word }) => [
    { phone },
    { national: phone.replace('+49 ', '0') },
    { name: `${word} customer` },
  ],
  'privacy.customer.export': ({ reference }) => [{ found_by: 'phone', references: [reference] }],
  'privacy.customer.erase': ({ reference }) => [{ found_by: 'name', references: [reference], confirmation: 'ERASE' }],
  'bookings.find_by_name': ({ word }) => [{ name: `${word} customer` }],
  'bookings.slots': ({ reference, specialistId }) => [{ reference, date: dayAhead(), specialist_id: specialistId }],
  'bookings.check_move': (values) => [move(values)],
  'bookings.find_customer': ({ phone }) => [{ phone }, { national: phone.replace('+49 ', '0') }],
  'bookings.new_slots': (values) => [{ ...wanted(values), date: dayAhead() }],
  'bookings.check_new': (values) => [{ ...wanted(values), date: dayAhead(), start_time: '16:30' }],
  'bookings.create': (values) => [
    {
      key: randomBytes(16).toString('hex'),
      ...wanted(values),
      date: dayAhead(),
      start_time: '16:30',
      customer: { ...CUSTOMER, email: 'robin@example.com' },
      price_amount: null,
    },
  ],
  'bookings.visits.list': ({ locationId }) => [{ date: null, location_id: locationId }],
  'bookings.visits.change': ({ reference }) => [{ action: 'complete', bookings: [{ reference, expected_version: 1 }] }],
  'bookings.reschedule': (values) => [{ ...move(values), expected_version: 1 }],
  'environment.reset_now': ({ word }) => [{ tenant_name: `${word} tenant` }],
  'find.records': (values) => Object.values(values).map((text) => ({ text })),
  'requests.list': (values) => [...logged(values), { cursor: `${AT}_${values.requestId}` }],
  'requests.histogram': logged,
  'second_factor.remove_passkey': ({ passkeyId }) => [{ password: PASSWORD, passkey_id: passkeyId }],
  'session.end': ({ sessionId }) => [{ session_id: sessionId }],
  'team.invite': ({ email, locationId }) => [
    { email, role: 'SUPPORT' },
    { email, role: 'FRONT_DESK', location_ids: [locationId] },
  ],
  'team.set_role': ({ memberId, locationId }) => [
    { user_id: memberId, role: 'FRONT_DESK', location_ids: [locationId] },
  ],
  'views.create': ({ applicationId, keyId, reference, locationId, serviceId, specialistId }) => [
    { page: 'requests', name: newId('viw'), query: { application: applicationId, key: keyId, reference } },
    {
      page: 'bookings',
      name: newId('viw'),
      query: { application: applicationId, location: locationId, service: serviceId, specialist: specialistId },
    },
  ],
  'views.rename': ({ viewId }) => [{ id: viewId, name: newId('viw') }],
  'views.delete': ({ viewId }) => [{ id: viewId }],
  'webhooks.deliveries': ({ hookedId, deliveryId, eventId }) => [
    { application_id: hookedId, reference: deliveryId },
    { application_id: hookedId, reference: eventId },
    { application_id: hookedId, cursor: deliveryId },
  ],
};

/** Mutations whose input in `ENTRIES` is not used, because their inputs in `MORE` contain all of its values. */
const REPLACED: ReadonlySet<string> = new Set([
  'applications.create',
  'applications.update',
  'bookings.reschedule',
  'catalog.specialists.create',
  'catalog.specialists.update',
  'catalog.services.update',
  'environment.reset_now',
  'second_factor.remove_passkey',
  'views.create',
  'views.rename',
  'views.delete',
]);

/** Returns inputs for a procedure. The inputs contain a tenant's own values, such as the ids of its records. */
export function inputsOf(path: string, { names, values }: Pick<World, 'names' | 'values'>): (object | undefined)[] {
  const base = REPLACED.has(path) ? [] : [ENTRIES[path]?.input(names)];
  return [...base, ...(MORE[path]?.(values) ?? [])];
}

/** Returns the schemas of a procedure's input. */
export function schemasOf(path: string): z.ZodType[] {
  const all = appRouter._def.procedures as unknown as Record<string, { _def: { inputs: z.ZodType[] } }>;
  return all[path]?._def.inputs ?? [];
}
