import { createLoader } from 'nuqs/server';
import { describe, expect, test } from 'vitest';
import { keyEnd, readPasted } from '@/app/t/[tenant]/_components/search/pasted';
import { changeQuery, normalizeQuery, PARSERS, requestsHref } from '@/app/t/[tenant]/requests/_components/query';

const REQUEST = 'req_01m7xvg11menar8km9tz6yxfd1';
const BOOKING = 'pbr_epe9f4s3kkt3g9zes8mr0zb4sx';

describe('readPasted', () => {
  test('finds a request id anywhere in the text', () => {
    for (const text of [REQUEST, `  "${REQUEST}",`, `X-Request-Id: ${REQUEST}`, `{"meta":{"request_id":"${REQUEST}"}}`])
      expect(readPasted(text)).toEqual({ kind: 'request', id: REQUEST });
  });

  test('finds a booking reference; other text is an external reference', () => {
    expect(readPasted(`/bookings/${BOOKING}/actions/cancel`)).toEqual({ kind: 'reference', reference: BOOKING });
    expect(readPasted(' order 7 ')).toEqual({ kind: 'reference', reference: 'order 7' });
    expect(readPasted('  ')).toEqual({ kind: 'nothing' });
  });

  test('finds ids in capitals, across line breaks and with invisible characters', () => {
    const id = { kind: 'request', id: REQUEST };
    for (const text of [
      REQUEST.toUpperCase(),
      `${REQUEST.slice(0, 12)}\r\n  ${REQUEST.slice(12)}`,
      `\u200b${REQUEST}\ufeff`,
    ])
      expect(readPasted(text)).toEqual(id);
    const reference = { kind: 'reference', reference: BOOKING };
    for (const text of [
      BOOKING.toUpperCase(),
      `${BOOKING.slice(0, 20)}\n${BOOKING.slice(20)}`,
      `see\n${BOOKING}\nplease`,
    ])
      expect(readPasted(text)).toEqual(reference);
  });

  test('keeps an external reference as typed, without surrounding quotes', () => {
    for (const reference of ['order 7,', `5"`, `O'`, 'a\u200db'])
      expect(readPasted(reference)).toEqual({ kind: 'reference', reference });
    for (const text of ['"order 7",', "'order 7'", '\u200border 7\u200b', 'order\n7'])
      expect(readPasted(text)).toEqual({ kind: 'reference', reference: 'order 7' });
  });

  test('reads no more of a key than its last four characters, and only of a whole key', () => {
    const key = `pbk_test_${'0Ab'.repeat(12)}zZ`;
    for (const text of [key, `Authorization: Bearer ${key}`, `"${key}\u200b"`, `pbk_live_ab12${key.slice(9)}`])
      expect(keyEnd(text)).toBe('AbzZ');
    for (const text of [key.slice(0, -1), `${key}0`, `whsec_${key.slice(9)}`, 'AbzZ']) expect(keyEnd(text)).toBeNull();
  });

  test('refuses secrets, contacts and long text', () => {
    for (const text of [
      'Bearer pbk_live_x',
      'PBK_TEST_X',
      'pbk_\u200btest_\nx',
      'whsec_abc',
      'jo@example.com',
      '+49 30 5550 1234',
      'x'.repeat(129),
    ])
      expect(readPasted(text).kind).toBe('refused');
  });
});

describe('the URL', () => {
  const load = createLoader(PARSERS);
  const read = (search: string) => normalizeQuery(load(new URLSearchParams(search)));

  test('the URL holds the state without default values', () => {
    expect(requestsHref(read(''))).toBe('/requests');
    const search =
      'from=2026-01-01T00:00:00.000Z&key=key_1&order=oldest&period=custom&status=4xx&to=2026-01-02T00:00:00.000Z';
    expect(requestsHref(read(search))).toBe(`/requests?${search}`);
  });

  test('ignores invalid values', () => {
    expect(read('period=year&status=teapot&order=up&from=x&back=yes')).toEqual(read(''));
    expect(read('period=custom&from=2026-01-02&to=2026-01-01').period).toBe('24h');
    for (const search of [
      'cursor=xx',
      `cursor=0000-01-01T00:00:00.000Z_${REQUEST}`,
      'code=%00',
      'reference=%00&key=%0a',
      'period=custom&from=-271821-04-20&to=9999-01-01',
      'period=custom&from=2026-01-01&to=%2b275760-09-13',
    ])
      expect(read(search), search).toEqual(read(''));
    const cursor = `2026-01-01T00:00:00.000Z_${REQUEST}`;
    expect(read(`cursor=${cursor}`).cursor).toBe(cursor);
  });

  test('a change starts on the first page; live mode ends unless the newest rows are shown', () => {
    const live = { ...read('live=1'), cursor: 'x' };
    expect(changeQuery(live, { status: '4xx' })).toMatchObject({ cursor: null, live: true });
    expect(changeQuery(live, { order: 'oldest' }).live).toBe(false);
    expect(changeQuery(live, { cursor: 'y' }).live).toBe(false);
  });
});
