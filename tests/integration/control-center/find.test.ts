import { beforeAll, expect, test } from 'vitest';
import { revokeKey } from '@/lib/access/applications/keys';
import { findRecords } from '@/lib/control-center/find/find';
import { newId } from '@/lib/platform/ids';
import { makeBusiness } from '@/tests/support/factories';
import { writeLines } from '@/tests/support/request-lines';
import { addEndpoint } from '@/tests/support/webhooks';

type Business = Awaited<ReturnType<typeof makeBusiness>>;

let business: Business;
let stranger: Business;
let requestId: string;
let deliveryId: string;

beforeAll(async () => {
  business = await makeBusiness({ name: 'Harbor 100% Partner' });
  stranger = await makeBusiness();
  requestId = newId('req');
  const known = { tenant_id: business.tenant.id, application_id: business.applicationId };
  await writeLines([{ ...known, request_id: requestId, external_reference: 'order-77' }]);
  const hook = await addEndpoint(business.tenant.id, business.applicationId, 'http://127.0.0.1:3999/');
  [deliveryId = ''] = await hook.emit(1);
});

const find = (text: string, mayViewPartners = true, { tenant } = business) =>
  findRecords({ tenantId: tenant.id, mayViewPartners }, text);

test('an ID in any text finds its record', async () => {
  const application_id = business.applicationId;
  expect(await find(`X-Request-Id: ${requestId.toUpperCase()}`)).toMatchObject([{ kind: 'request', id: requestId }]);
  expect(await find(`"${application_id}"`)).toMatchObject([{ kind: 'application', name: 'Harbor 100% Partner' }]);
  expect(await find(business.location.id)).toMatchObject([{ kind: 'location', name: 'Studio' }]);
  const delivery = { kind: 'delivery', id: deliveryId, name: 'booking.created', application_id };
  expect(await find(deliveryId)).toEqual([delivery]);
  expect(await find(deliveryId.replace('dlv', 'evt'))).toEqual([delivery]);
  expect(await find(newId('req'))).toEqual([]);
});

test('names match in part and without case, and wildcards are ordinary characters', async () => {
  expect(await find('100%')).toMatchObject([{ kind: 'application' }]);
  expect(await find('1_0')).toEqual([]);
  expect(await find('HAIR')).toMatchObject([{ kind: 'service', id: business.service.id, name: 'Haircut' }]);
  expect(await find('alex')).toMatchObject([{ kind: 'specialist', id: business.specialist.id }]);
});

test('an external reference finds its requests, also in upper or lower case', async () => {
  expect(await find('order-77')).toMatchObject([{ kind: 'reference', id: 'order-77' }]);
  expect(await find('ORDER-77')).toMatchObject([{ kind: 'reference', id: 'order-77' }]);
  expect(await find('order-7')).toEqual([]);
});

test('the last four characters of a key find it with its application', async () => {
  const lastFour = business.key.slice(-4);
  const key = {
    ...{ kind: 'key', id: business.keyId, application_id: business.applicationId },
    name: `Key …${lastFour} (Harbor 100% Partner)`,
  };
  expect(await find(lastFour)).toEqual([key]);
  expect(await find(`…${lastFour}`)).toEqual([key]);
  await revokeKey(new Date(), { tenantId: business.tenant.id, actor: { kind: 'system' }, keyId: business.keyId });
  expect(await find(lastFour)).toMatchObject([{ name: `${key.name}, revoked` }]);
  expect(await find(lastFour, true, stranger)).toEqual([]);
  expect(await find(lastFour, false)).toEqual([]);
});

test('another business and the front desk find nothing of the partners', async () => {
  for (const text of [requestId, deliveryId, business.applicationId, 'order-77', 'Harbor']) {
    expect(await find(text, true, stranger)).toEqual([]);
    expect(await find(text, false)).toEqual([]);
  }
  expect(await find(business.service.id, true, stranger)).toEqual([]);
  expect(await find('Haircut', false)).toMatchObject([{ kind: 'service' }]);
});
