import { expect, test } from 'vitest';
import { curlOf } from '@/app/t/[tenant]/requests/_components/curl';

const ORIGIN = 'https://salon.example';

test('a curl command has placeholders for secrets', () => {
  const read = { method: 'GET', path: '/api/partner/v1/catalog', route: '/api/partner/v1/catalog' };
  expect(curlOf({ ...read, had_idempotency_key: false }, ORIGIN)).toBe(
    "curl -X GET 'https://salon.example/api/partner/v1/catalog' \\\n  -H 'Authorization: Bearer YOUR_API_KEY'",
  );
  const write = { method: 'POST', path: null, route: '/api/partner/v1/bookings', had_idempotency_key: true };
  expect(curlOf(write, ORIGIN)?.split(' \\\n  ')).toEqual([
    "curl -X POST 'https://salon.example/api/partner/v1/bookings'",
    "-H 'Authorization: Bearer YOUR_API_KEY'",
    "-H 'Idempotency-Key: YOUR_IDEMPOTENCY_KEY'",
    "-H 'Content-Type: application/json'",
    "-d '{}'",
  ]);
  expect(curlOf({ ...write, route: null }, ORIGIN)).toBeNull();
});
