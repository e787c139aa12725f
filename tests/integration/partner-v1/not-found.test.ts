import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { setOwnSystem } from '@/lib/access/applications/applications';
import { refusalsOf } from '@/lib/contract/errors/refusals';
import { ALL_OPERATIONS, type Operation } from '@/lib/contract/operations';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { comparable, countRows, everythingOf, expectRefusal } from '@/tests/support/booking-rows';
import { CUSTOMER, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';
import { withQuery } from '@/tests/support/paths';
import { pathWith, REQUESTS, type Request, type RequestValues } from '../isolation/requests';

/** What a request can name a record by. */
const NAMES = ['serviceId', 'locationId', 'specialistId', 'reference'] as const;

let desk: Desk;
let other: Desk;
let own: RequestValues;
let foreign: Record<(typeof NAMES)[number], string[]>;

const UNKNOWN = {
  serviceId: newId('svc'),
  locationId: newId('loc'),
  specialistId: newId('spc'),
  reference: newBookingReference(),
};

/** Texts that are no id: any, and variants of `id`, which exists. */
const malformed = (id: string) => [
  ...['', ' ', '*', 'x', '../catalog', '\u0000', '\ud800', "' OR 1=1 --", '__proto__', 'x'.repeat(200)],
  ...[id.toUpperCase(), id.slice(0, -1), `${id}0`, `${id.slice(0, -1)}u`, `${id} `, id.slice(4), id.slice(0, 4)],
];

/** The same in a path, as it is sent. */
const malformedInPath = (id: string) => [
  ...['%20', '*', 'x', '%00', "'%20OR%201=1--", '__proto__', 'x'.repeat(10_000)],
  ...[id.toUpperCase(), id.slice(0, -1), `${id}0`, `${id.slice(0, -1)}u`, `${id}%20`, id.slice(4), id.slice(0, 4)],
  ...[`${id}%00`, `${id};x`, `%70${id.slice(1)}`],
];

beforeAll(async () => {
  [desk, other] = await Promise.all([makeDesk(), makeDesk()]);
  const { tenant, applicationId, service, location, ids } = desk;
  await setOwnSystem(new Date(), { tenantId: tenant.id, actor: { kind: 'system' }, applicationId, ownSystem: true });
  const sibling = partnerOf((await makeApplication(tenant.id)).key);
  const [mine, siblings, theirs, gone] = await Promise.all([
    desk.book('11:00'),
    sibling.create(desk.body('09:00')),
    other.book('10:00'),
    other.book('11:00'),
  ]);
  await other.cancel(gone.reference);
  own = {
    ...{ serviceId: service.id, locationId: location.id, specialistId: ids[0] ?? '', reference: mine.reference },
    ...{ idempotencyKey: randomUUID(), phone: CUSTOMER.phone, word: 'order', cursor: undefined, token: undefined },
  };
  foreign = {
    serviceId: [other.service.id, location.id],
    locationId: [other.location.id, service.id],
    specialistId: [...other.ids, service.id],
    reference: [siblings.data.booking.reference, theirs.reference, gone.reference, service.id],
  };
});

const stateOf = ({ tenant }: Desk) => Promise.all([everythingOf(tenant.id), countRows(tenant.id)]);

function send({ method, path }: Operation, { reference = '', query, body, idempotencyKey }: Request) {
  const sent = Object.entries(query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey ?? '' };
  const target = withQuery(pathWith({ path }, reference), Object.fromEntries(sent));
  return desk.client(target, { method, ...(body && { headers, body: JSON.stringify(body) }) });
}

test.each(ALL_OPERATIONS)(
  '$id names the field, in byte-identical 404s for ids that are unknown, malformed, or of another application or tenant',
  async (operation) => {
    const requests = (values: RequestValues) => REQUESTS[operation.id]({ ...values, idempotencyKey: randomUUID() });
    const before = await Promise.all([desk, other].map(stateOf));
    let named = 0;
    for (const name of NAMES) {
      const at = requests(own).findIndex((one) => JSON.stringify(one).includes(own[name]));
      const { query, body } = requests(own)[at] ?? {};
      if (at === -1) continue;
      named += 1;
      const inBody = Object.entries({ ...query, ...body }).find(([, value]) => value === own[name]);
      const field = inBody?.[0] ?? 'pbr_reference';
      const ask = (id: string) => send(operation, requests({ ...own, [name]: id })[at] ?? {});
      const unknown = await ask(UNKNOWN[name]);
      expectRefusal(unknown, 404, 'not_found');
      expect(unknown.error.fields).toEqual([{ path: field, message: 'is not known' }]);
      const texts = inBody ? malformed(own[name]) : malformedInPath(own[name]);
      const replies = await Promise.all(
        [...foreign[name], ...texts].map(async (id) => [id, comparable(await ask(id))] as const),
      );
      // The answers are equal, so none repeats what was sent.
      for (const [id, reply] of replies) expect([name, id, reply]).toEqual([name, id, comparable(unknown)]);
    }
    expect(named > 0).toBe('not_found' in refusalsOf(operation));
    expect(await Promise.all([desk, other].map(stateOf))).toEqual(before);
  },
);
