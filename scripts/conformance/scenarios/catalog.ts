import assert from 'node:assert/strict';
import { catalogData } from '@/lib/contract/catalog';
import { specialistsData } from '@/lib/contract/specialists';
import { Skip } from '../report';
import { dataOf, expectRefusal, type World } from '../world';

const UNKNOWN = 'svc_01jd8x4t5wf3rbq0zk6m7n8p9q';

/** Checks contract A (Paging), B4, and B5. */
export async function catalog(world: World): Promise<void> {
  const { wire, check, need } = world;
  const all = async () => dataOf(await wire.send('/catalog?limit=50'), 200, catalogData);
  const first = await need('B4', 'the catalog can be read', all);
  const [service] = first.services;
  if (!service) throw new Skip('no service is published for this key');
  await check('B4', 'services are ordered by id', () => {
    const ids = first.services.map(({ id }) => id);
    assert.deepEqual(ids, [...ids].sort());
  });
  await check('B4', 'the first page lists each location once, with those of all services', () => {
    const listed = first.locations.map(({ id }) => id);
    assert.equal(new Set(listed).size, listed.length);
    for (const { location_ids } of first.services) for (const id of location_ids) assert.ok(listed.includes(id));
  });
  await check('A', 'pages with limit=1 list the same services, and the last page has no cursor', async () => {
    const ids: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 8; page += 1) {
      const query: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const data: ReturnType<typeof catalogData.parse> = dataOf(
        await wire.send(`/catalog?limit=1${query}`),
        200,
        catalogData,
      );
      ids.push(...data.services.map(({ id }) => id));
      cursor = data.next_cursor;
      if (!cursor) break;
    }
    assert.deepEqual(
      ids,
      first.services.slice(0, ids.length).map(({ id }) => id),
    );
    assert.equal(cursor === null, ids.length === first.services.length && first.next_cursor === null);
  });
  await checkParameters(world);
  await checkSpecialists(world, service.id);
}

async function checkParameters({ wire, check }: World): Promise<void> {
  for (const limit of ['0', '51', '-1', '1e1', '1.5', '', '%D9%A1']) {
    await check('A', `limit=${limit} gets a 400 that names limit`, async () => {
      const reply = await wire.send(`/catalog?limit=${limit}`);
      expectRefusal(reply, 400, 'invalid_request');
      assert.deepEqual(reply.fields, ['limit']);
    });
  }
  await check(
    'B3',
    'an unknown parameter gets a 400 with unknown_field, and the response does not repeat a parameter name that may contain data',
    async () => {
      const reply = await wire.send('/catalog?tenant=x&Robin.Sample=1');
      expectRefusal(reply, 400, 'invalid_request', 'unknown_field');
      assert.ok(!reply.text.includes('Robin'));
    },
  );
  await check('B3', 'a repeated parameter gets a 400', async () => {
    expectRefusal(await wire.send('/catalog?limit=1&limit=2'), 400, 'invalid_request');
  });
  await check('B4', 'a malformed locale gets a 400, and an unsupported locale falls back to the default', async () => {
    expectRefusal(await wire.send('/catalog?locale=not%20a%20tag'), 400, 'invalid_request');
    for (const locale of ['tlh', 'de_DE']) {
      const reply = await wire.send(`/catalog?limit=1&locale=${locale}`);
      assert.equal(reply.status, 200);
      assert.match(reply.headers['content-language'] ?? '', /^[A-Za-z]{2,3}/);
    }
  });
  await check('B5', 'an invalid cursor gets a 400 with cursor_mismatch', async () => {
    expectRefusal(await wire.send('/catalog?cursor=AAAA'), 400, 'invalid_request', 'cursor_mismatch');
  });
}

async function checkSpecialists({ wire, check }: World, serviceId: string): Promise<void> {
  await check('B5', 'the specialists for a service offer that service and are ordered by id', async () => {
    const reply = await wire.send(`/catalog/specialists?limit=50&service_id=${serviceId}`);
    const { specialists } = dataOf(reply, 200, specialistsData);
    assert.ok(specialists.every(({ service_ids }) => service_ids.includes(serviceId)));
    const ids = specialists.map(({ id }) => id);
    assert.deepEqual(ids, [...ids].sort());
  });
  await check('B3', 'a filter with an unknown id or a malformed id gets a 404', async () => {
    for (const id of [UNKNOWN, 'nonsense']) {
      expectRefusal(await wire.send(`/catalog/specialists?service_id=${id}`), 404, 'not_found', null);
    }
  });
}
