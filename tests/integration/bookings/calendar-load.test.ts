import { expect, test } from 'vitest';
import { uploadCalendar } from '@/lib/booking/calendars/calendars';
import { pool } from '@/lib/platform/db';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { repeats, SOAK } from '@/tests/support/soak';

const CALENDARS = 5;
const TIMES = 400;
const RUNS = repeats(40, 400);

/** A calendar with `TIMES` half hours within a year, between 10:00 and 15:00. */
function calendarOf(number: number): string {
  const events = Array.from({ length: TIMES }, (_, index) => {
    const date = dayAhead(1 + ((index * 7 + number) % 360)).replaceAll('-', '');
    const hour = 10 + ((index + number) % 5);
    return [
      'BEGIN:VEVENT',
      `UID:${index}`,
      `DTSTART:${date}T${hour}${index % 2 === 0 ? '00' : '30'}00`,
      'DURATION:PT30M',
      'END:VEVENT',
    ];
  });
  return ['BEGIN:VCALENDAR', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

test('availability of a specialist with 5 calendars and 2,000 busy times is nearly as fast as of one without', async () => {
  const service = { durationMinutes: 30, slotIntervalMinutes: 15 };
  const [free, busy] = [await makeDesk({ service }), await makeDesk({ service })];
  const by = { tenantId: busy.tenant.id, actor: { kind: 'system' } as const };
  const choices = { name: 'Private', show_titles: false, block_when_stale: false };
  const subject = { specialistId: busy.ids[0] ?? '', locationId: null };
  for (let number = 0; number < CALENDARS; number += 1)
    await uploadCalendar(new Date(), by, { subject, text: calendarOf(number), choices });
  const { rows } = await pool().query('SELECT count(*)::int AS count FROM block_days WHERE tenant_id = $1', [
    by.tenantId,
  ]);
  expect(rows[0].count).toBeGreaterThan(1_500);
  await pool().query('ANALYZE block_days');
  // A page of the default size is filled by the days of one query, with and without busy times.
  const took = { free: [] as number[], busy: [] as number[] };
  for (let run = 0; run < RUNS; run += 1)
    for (const [name, salon] of [
      ['free', free],
      ['busy', busy],
    ] as const) {
      const begun = performance.now();
      const days = { date: dayAhead(2 + (run % 100)), date_to: dayAhead(8 + (run % 100)) };
      expect(
        (await salon.slots({ service_id: salon.service.id, location_id: salon.location.id, ...days })).status,
      ).toBe(200);
      took[name].push(performance.now() - begun);
    }
  const ratio = median(took.busy) / median(took.free);
  if (SOAK) console.log(`availability with 2,000 busy times takes ${ratio.toFixed(2)} × as long`);
  // A machine that runs other tests measures less exactly.
  expect(ratio).toBeLessThan(SOAK ? 1.3 : 2);
});
