import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { CRITERIA, readinessData } from '@/lib/contract/readiness';
import { dataOf, expectRefusal, type World } from '../world';

/** Checks contract B21: the readiness of the application. */
export async function readiness({ check, post, wire }: World): Promise<void> {
  await check('B21', 'the readiness has each criterion once, and a certificate', async () => {
    const data = dataOf(await wire.send('/test/readiness'), 200, readinessData);
    const { criteria, met, environment } = data.readiness;
    assert.deepEqual([environment, criteria.map(({ criterion }) => criterion)], ['TEST', [...CRITERIA]]);
    assert.equal(met, criteria.filter(({ state }) => state === 'met').length);
    for (const { state, at, request_id } of criteria)
      assert.deepEqual([at === null, request_id === null], [state === 'not_yet', state === 'not_yet']);
    const [header = '', payload = '', signature = ''] = data.certificate.split('.');
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    assert.equal((read(header) as { alg?: unknown }).alg, 'EdDSA');
    assert.deepEqual(read(payload), data.readiness);
    assert.equal(Buffer.from(signature, 'base64url').length, 64);
  });
  await check('B21', 'a report of another run, and a signature check with fields, get a 400', async () => {
    const counts = { passed: 1, failed: 0, skipped: 0, calls: 1 };
    const report = await post('/test/conformance', { first_request_id: randomUUID(), ...counts });
    expectRefusal(report, 400, 'invalid_request');
    assert.deepEqual(report.fields, ['first_request_id']);
    expectRefusal(await post('/test/signature-checks', { forged: true }), 400, 'invalid_request');
  });
}
