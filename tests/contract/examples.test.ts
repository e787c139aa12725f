import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bookingData } from '@/lib/contract/bookings';
import { EXAMPLES } from '@/lib/contract/examples';
import { OPERATIONS, successStatus } from '@/lib/contract/operations';
import { RECORDED } from '@/lib/contract/recorded';
import { DOCUMENT, validator } from '@/tests/support/openapi';
import { recordExamples } from './record-examples';

const FILE = new URL('../../lib/contract/recorded.ts', import.meta.url);

const HEADER =
  '// Recorded by tests/contract/examples.test.ts. Renew: EXAMPLES=1 npm test -- contract tests/contract/examples.test.ts';

// EXAMPLES=1 writes the recorded examples to `FILE` instead of comparing them.
const RENEW = process.env.EXAMPLES === '1';

test('the examples of the documentation are what a run returns', async () => {
  const recorded = await recordExamples();
  if (RENEW) writeFileSync(FILE, `${HEADER}\nexport const RECORDED = ${JSON.stringify(recorded, null, 2)};\n`);
  else expect(RECORDED).toEqual(recorded);
});

type Media = { content: { 'application/json': { example: unknown } } };
type Described = { requestBody?: Media; responses: Record<string, Media> };

const escaped = (path: string) => path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');

test.for(OPERATIONS.map(({ id, path, method }) => ({ id, path, method: method.toLowerCase() })))(
  'the example request and response of $id match the document',
  ({ id, path, method }) => {
    const { requestBody, responses } = (DOCUMENT.paths[path] as Record<string, Described>)[method] as Described;
    const status = String(successStatus({ id }));
    const base = `/paths/${escaped(path)}/${method}`;
    const parts: [string, Media | undefined][] = [
      [`${base}/responses/${status}`, responses[status]],
      ...(requestBody ? [[`${base}/requestBody`, requestBody] as [string, Media]] : []),
    ];
    for (const [pointer, media] of parts) {
      const check = validator(`${pointer}/content/application~1json/schema`);
      expect(check(media?.content['application/json'].example), JSON.stringify(check.errors)).toBe(true);
    }
  },
);

test('each change has its own example: its status, its version, and its times', () => {
  const changes = (['createBooking', 'rescheduleBooking', 'cancelBooking'] as const).map((id) => {
    const { booking } = bookingData.parse((EXAMPLES[id].response as { data: unknown }).data);
    return [booking.status, booking.version, booking.date, booking.cancelled_by, booking.updated_at];
  });
  expect(changes).toEqual([
    ['confirmed', 1, '2026-09-14', null, '2026-09-01T08:00:00.000Z'],
    ['confirmed', 2, '2026-09-15', null, '2026-09-02T10:00:00.000Z'],
    ['cancelled', 3, '2026-09-15', 'partner', '2026-09-03T10:00:00.000Z'],
  ]);
});
