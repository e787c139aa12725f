import { expect, test } from 'vitest';
import { dayAhead } from '@/tests/support/bookings';
import { daily, localInstant, makeScheduledDesk, nextClockChanges, type Schedule } from '@/tests/support/schedules';

const NIGHT = daily({ opens: '20:00', closes: '02:00' });
const ALWAYS = daily({ opens: '00:00', closes: '00:00' });
const FAR = { maxAdvanceDays: 400 };

const SCHEDULES: [string, Schedule][] = [
  [
    'two shifts, breaks, time off and exceptions',
    {
      timeZone: 'Europe/Berlin',
      opening: daily({ opens: '08:00', closes: '13:00' }, { opens: '14:00', closes: '19:30' }),
      exceptions: [{ date: dayAhead(8) }, { date: dayAhead(9), hours: [{ opens: '10:00', closes: '11:45' }] }],
      specialists: [
        { working: daily({ opens: '09:00', closes: '18:00' }), breaks: daily({ opens: '11:15', closes: '11:40' }) },
        {
          working: daily({ opens: '07:00', closes: '24:00' }),
          timeOff: [{ from: `${dayAhead(7)}T12:10`, to: `${dayAhead(10)}T16:05` }],
          exceptions: [{ date: dayAhead(11), hours: [{ opens: '15:00', closes: '16:00' }] }],
        },
      ],
      service: { durationMinutes: 45, slotIntervalMinutes: 15, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 },
    },
  ],
  [
    'hours past midnight, in a time zone with a half-hour offset',
    {
      timeZone: 'Asia/Kolkata',
      opening: NIGHT,
      specialists: [{ working: NIGHT }, { working: daily({ opens: '22:30', closes: '01:15' }) }],
      service: { durationMinutes: 50, slotIntervalMinutes: 20, capacity: 4 },
    },
  ],
  [
    'a grid that does not divide the day, in a time zone with a 45-minute offset',
    {
      timeZone: 'Asia/Kathmandu',
      opening: ALWAYS,
      specialists: [{ working: daily({ opens: '05:50', closes: '12:00' }, { opens: '12:00', closes: '21:10' }) }],
      service: { durationMinutes: 100, slotIntervalMinutes: 35 },
    },
  ],
];

test.for(SCHEDULES)('returns exactly the slots that the engine computes: %s', async ([, schedule]) => {
  const desk = await makeScheduledDesk(schedule);
  for (const day of [7, 8, 9, 10, 11]) {
    const date = dayAhead(day);
    const { data } = await desk.slots({ service_id: desk.service.id, date, limit: 96 });
    expect(data.slots).toEqual(await desk.engine({ date }));
  }
  const date = dayAhead(7);
  const [first] = await desk.engine({ date });
  await desk.book(first?.start_time);
  const [, , third] = await desk.engine({ date });
  await desk.book(third?.start_time, { specialist_id: third?.specialist_ids.at(-1) });
  const after = await desk.engine({ date });
  expect((await desk.slots({ service_id: desk.service.id, date, limit: 96 })).data.slots).toEqual(after);
});

const hour = (time: string) => Number(time.slice(0, 2));

test('omits the skipped hour on the day the clock goes forward', async () => {
  const timeZone = 'America/New_York';
  const schedule = { timeZone, opening: ALWAYS, specialists: [{ working: ALWAYS }], service: FAR };
  const { slots, service, engine } = await makeScheduledDesk(schedule);
  const { date } = nextClockChanges(timeZone).forward;
  const { data } = await slots({ service_id: service.id, date, limit: 96 });
  expect(data.slots).toEqual(await engine({ date }));
  expect(data.slots).toHaveLength(46);
  expect(data.slots.filter(({ start_time }) => hour(start_time) === 2)).toEqual([]);
  const before = data.slots.find(({ start_time }) => start_time === '01:30');
  expect(before).toMatchObject({
    end_time: '03:00',
    starts_at: localInstant(date, '01:30:00', timeZone),
    ends_at: localInstant(date, '03:00:00', timeZone),
  });
  expect(before?.starts_at).toMatch(/-05:00$/);
  expect(before?.ends_at).toMatch(/-04:00$/);
});

test('offers a repeated wall-clock time only once, at its first occurrence, on the day the clock goes back', async () => {
  const timeZone = 'America/New_York';
  const schedule = { timeZone, opening: ALWAYS, specialists: [{ working: ALWAYS }], service: FAR };
  const { slots, service, engine } = await makeScheduledDesk(schedule);
  const { date } = nextClockChanges(timeZone).back;
  const { data } = await slots({ service_id: service.id, date, limit: 96 });
  expect(data.slots).toEqual(await engine({ date }));
  expect(data.slots).toHaveLength(48);
  expect(new Set(data.slots.map(({ start_time }) => start_time)).size).toBe(48);
  const repeated = data.slots.filter(({ start_time }) => hour(start_time) === 1);
  expect(repeated.map(({ starts_at }) => starts_at)).toEqual([`${date}T01:00:00-04:00`, `${date}T01:30:00-04:00`]);
  // 30 minutes after the first 01:30, the clock shows 01:00 again.
  expect(repeated[1]).toMatchObject({ end_time: '01:00', ends_at: `${date}T01:00:00-05:00` });
});

test('omits only half an hour where the clock moves by half an hour', async () => {
  const timeZone = 'Australia/Lord_Howe';
  const schedule = { timeZone, opening: ALWAYS, specialists: [{ working: ALWAYS }], service: FAR };
  const { slots, service, engine } = await makeScheduledDesk(schedule);
  const { forward, back } = nextClockChanges(timeZone);
  const day = async (date: string) => {
    const { data } = await slots({ service_id: service.id, date, limit: 96 });
    expect(data.slots).toEqual(await engine({ date }));
    return data.slots.map(({ start_time }) => start_time);
  };
  expect(forward.hours).toBe(0.5);
  const short = await day(forward.date);
  expect(short).toHaveLength(47);
  expect(short).not.toContain('02:00');
  expect(short).toContain('02:30');
  expect(await day(back.date)).toHaveLength(48);
});

test('offers the same wall-clock times on the day before, of and after a clock change', async () => {
  const timeZone = 'Europe/Berlin';
  const hours = daily({ opens: '09:00', closes: '17:00' });
  const schedule = { timeZone, opening: hours, specialists: [{ working: hours }], service: FAR };
  const { slots, service } = await makeScheduledDesk(schedule);
  const { forward, back } = nextClockChanges(timeZone);
  for (const { date } of [forward, back]) {
    for (const days of [-1, 0, 1]) {
      const day = new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
      const { data } = await slots({ service_id: service.id, date: day });
      expect([data.slots[0]?.start_time, data.slots.at(-1)?.end_time, data.slots.length]).toEqual([
        '09:00',
        '17:00',
        16,
      ]);
      expect(data.slots[0]?.starts_at).toBe(localInstant(day, '09:00', timeZone));
    }
  }
});
