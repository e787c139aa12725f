import { beforeAll, expect, test } from 'vitest';
import { openApiDocument } from '@/lib/contract/openapi/document';
import { ALL_OPERATIONS, BASE_PATH } from '@/lib/contract/operations';
import { partnerRouteAt } from '@/lib/http/edge/target';
import { refuseRoute } from '@/lib/http/partner-api/admission';

const SANDBOX = ALL_OPERATIONS.filter(({ testOnly }) => testOnly);

// The settings are read only once, when they are first used.
beforeAll(() => {
  process.env.ENVIRONMENT = 'LIVE';
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

test('in LIVE, the routes of the sandbox are unknown, with every method, and the OpenAPI document lacks them', () => {
  expect(SANDBOX.map(({ id }) => id)).toEqual([
    'setTestClock',
    'runOwnerAction',
    'readReadiness',
    'reportConformance',
    'checkSignature',
  ]);
  for (const { path } of SANDBOX)
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      expect(partnerRouteAt(method, BASE_PATH + path)).toBe('unknown');
      expect(refuseRoute(BASE_PATH + path)).toEqual(refuseRoute(`${BASE_PATH}/nowhere`));
    }
  const text = JSON.stringify(openApiDocument('https://booking.example', 'LIVE'));
  expect(text).not.toMatch(/setTestClock|runOwnerAction|TestClock|Sandbox|eadiness|onformance|checkSignature/);
  expect(text).toContain('createBooking');
});
