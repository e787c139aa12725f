import { expect, test } from 'vitest';
import { makeWorkspace, POLICY } from './applications-people';

test.each([
  ['applications.list', 'query', 'search', { search: '\0' }],
  ['requests.get', 'query', 'request_id', { request_id: 'req_\0' }],
  ['requests.list', 'query', 'reference', { period: '24h', reference: 'order\0' }],
  ['applications.create', 'mutate', 'networks.0', { ...POLICY, networks: ['10.0.0.0/8\0'] }],
] as const)('%s (%s) refuses U+0000 at %s, and nothing fails', async (path, how, field, input) => {
  const { owner } = await makeWorkspace();
  const { status, error } = await owner[how](path, input);
  expect(status).toBe(400);
  expect(error).toMatchObject({
    code: 'invalid_request',
    fields: [{ path: field, message: 'must not have control characters' }],
  });
});
