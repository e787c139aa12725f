// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DeliveryTable } from '@/app/t/[tenant]/applications/[id]/webhook/_components/deliveries';
import { answerText } from '@/app/t/[tenant]/applications/[id]/webhook/_components/words';
import type { Column } from '@/app/t/[tenant]/bookings/_components/calendar/columns';
import { DayRows } from '@/app/t/[tenant]/bookings/_components/calendar/day-rows';
import { FoundNames } from '@/app/t/[tenant]/bookings/_components/display/customer-names';
import { BookingsTable } from '@/app/t/[tenant]/bookings/_components/list/bookings-table';
import { show } from '@/tests/support/components';
import { translatorFor } from '@/tests/support/messages';

// The reader's time zone.
beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterEach(() => vi.unstubAllEnvs());

const named = (name: string) => ({ id: name, name });
const terms = { price: null, change_deadline: null, has_note: false };

const summary = (reference: string, start: { at: string; date: string; time: string; zone: string }) => ({
  ...{ reference, status: 'confirmed' as const, version: 1, external_reference: `order-${reference}`, ...terms },
  ...{ date: start.date, start_time: start.time, end_time: start.time, time_zone: start.zone },
  ...{ starts_at: start.at, ends_at: start.at, created_at: '2026-01-01T00:00:00.000Z' },
  ...{
    service: named('Haircut'),
    specialist: named('Ann'),
    location: named(start.zone),
    application: named('Partner'),
  },
});

/** At 23:30 in Berlin, 17:45 and 23:00 in New York, in this order. */
const MIXED = [
  summary('1', { at: '2026-01-05T22:30:00Z', date: '2026-01-05', time: '23:30', zone: 'Europe/Berlin' }),
  summary('2', { at: '2026-01-05T22:45:00Z', date: '2026-01-05', time: '17:45', zone: 'America/New_York' }),
  summary('3', { at: '2026-01-06T04:00:00Z', date: '2026-01-05', time: '23:00', zone: 'America/New_York' }),
];

const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const startsOf = () => screen.getAllByRole('row').map((row) => row.querySelector('td')?.textContent ?? null);

test('bookings of two time zones are in order, each with its local time, its zone, and the time of the reader', () => {
  show(<BookingsTable bookings={MIXED} />);
  expect(headings()).toEqual([
    'Monday, January 5, 2026 · in your time zone',
    'Tuesday, January 6, 2026 · in your time zone',
  ]);
  expect(startsOf().filter((text) => text !== null)).toEqual([
    '23:30–23:30, Haircut, Ann',
    '17:45–17:45, Haircut, Ann23:45 your time',
    '23:00–23:00, Haircut, AnnMon, Jan 5 · 05:00 your time',
  ]);
  expect(screen.getAllByText('America/New_York', { selector: 'td > span:nth-child(2)' })).toHaveLength(2);
  show(<BookingsTable bookings={MIXED.slice(1)} />);
  expect(headings()).toEqual(['Monday, January 5, 2026']);
});

test('a row shows the price, until when the partner can change the booking, and whether there is a note', () => {
  const [first] = MIXED;
  if (!first) return;
  const own = {
    price: { amount: 4500, currency: 'EUR' },
    change_deadline: '2026-01-04T23:30:00+01:00',
    has_note: true,
  };
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  show(<BookingsTable bookings={[{ ...first, ...own }]} />);
  const row = () => within(screen.getByRole('row', { name: /Haircut/ }));
  expect(row().getByText('Ann · €45.00')).toBeTruthy();
  expect(row().getByText('until Jan 4, 23:30')).toBeTruthy();
  expect(row().getByRole('img', { name: 'Has a note' })).toBeTruthy();
  // A narrow screen has all of it on a second line.
  width.mockReturnValue(390);
  show(<BookingsTable bookings={[{ ...first, ...own }]} />);
  expect(row().getByText('changes until Jan 4, 23:30 ·', { exact: false })).toBeTruthy();
  width.mockRestore();
});

const minutes = (start: number, end: number) => ({
  ...{ start_minute: start * 60, end_minute: end * 60, start_time: `${start}:00`, end_time: `${end}:00` },
});

const column = (name: string, hours: number[], blocked: Column['blocked'] = []): Column => ({
  ...{ key: name, date: '2026-01-05', specialist: named(name), title: name, subtitle: '', label: name, blocked },
  ...{ opening: [], working: [] },
  blocks: hours.map((hour) => ({
    ...minutes(hour, hour + 1),
    ...{ date: '2026-01-05', specialist: named(name), service: named('Haircut'), seats: { taken: 1, capacity: 1 } },
    bookings: [
      {
        ...{ reference: `${name}-${hour}`, status: 'confirmed', version: 1, external_reference: `${name}-${hour}` },
        ...{ application_name: null, movable: true, outside: null, ...terms, has_note: hour === 10 },
      },
    ],
  })),
});

const closing = {
  ...minutes(12, 13),
  block: {
    ...{ id: 'blk_1', version: 1, specialist_id: null, location_id: 'loc_1', source: 'owner' },
    ...{ from: '2026-01-05T12:00', to: '2026-01-05T13:00', repeat: null, reason: 'Lunch' },
  },
} as Column['blocked'][number];

test('the day in rows is in order, shows a block of several columns once, and today begins with what is not over', async () => {
  const columns = [column('Ann', [9, 14], [closing]), column('Bea', [8, 10], [closing])];
  const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  const open = vi.fn();
  const { user } = show(
    <FoundNames value={new Map([['Bea-10', 'Carla Customer']])}>
      <DayRows label="Day" columns={columns} now={600} busy={false} block={null} />
    </FoundNames>,
  );
  expect(rows()).toEqual([
    '10:00–11:00 HaircutCarla Customer · Bea · has a note',
    '12:00–13:00 Blockedeverybody · Lunch',
    '14:00–15:00 HaircutAnn-14 · Ann',
  ]);
  await user.click(screen.getByRole('button', { name: 'Show 2 earlier rows' }));
  expect(rows().map((text) => text?.slice(0, 5))).toEqual(['8:00–', '9:00–', '10:00', '12:00', '14:00']);
  show(<DayRows label="Day" columns={columns} now={null} busy={false} block={open} />);
  expect(rows()).toHaveLength(5);
  // Owners open a block that an owner made.
  await user.click(screen.getByRole('button', { name: '12:00–13:00 Blocked' }));
  expect(open).toHaveBeenCalledWith({ block: closing.block, column: columns[1] });
  show(<DayRows label="Day" columns={[]} now={null} busy={false} block={open} />);
  expect(screen.getByText('No bookings on this day.')).toBeTruthy();
});

const delivery = {
  ...{ id: 'dlv_1', event_id: 'evt_1', type: 'booking.created', booking_reference: null, version: null, forged: false },
  ...{ state: 'pending' as const, attempts: 1, scheduled_attempts: 1, max_attempts: 10, under_way: false },
  ...{ next_attempt_at: null, manual_requested: false, created_at: '2026-01-05T10:00:00.000Z', finished_at: null },
};
const answer = { started_at: '2026-01-05T10:00:00.000Z', duration_ms: 148, status: 503, error: 'http_status' };

test('a delivery shows the last answer: the status, the duration, and the time of the attempt', () => {
  const rows = [
    { ...delivery, last_answer: { ...answer, interrupted: false } },
    { ...delivery, id: 'dlv_2', last_answer: null },
    { ...delivery, id: 'dlv_3', last_answer: { ...answer, duration_ms: null, status: null, interrupted: true } },
  ];
  show(<DeliveryTable rows={rows} busy={false} frame={null} href={() => ''} go={() => undefined} />);
  const cells = screen.getAllByRole('cell').filter((cell) => cell.dataset.label === 'Last answer');
  expect(cells.map(({ textContent }) => textContent)).toEqual([
    '503148 ms, 11:00:00',
    'None yet',
    'interrupted11:00:00',
  ]);
  const causes = ['timeout', 'tls', 'secret_unreadable', null];
  expect(causes.map((error) => answerText(translatorFor('en', 'webhooks.causes'), { status: null, error }))).toEqual([
    ...['timeout', 'no TLS', 'not sent', 'not sent'],
  ]);
});
