import fc from 'fast-check';
import { expect, test } from 'vitest';
import { browserName } from '@/lib/access/owners/browser-name';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [`${WINDOWS} ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`, 'Chrome (Windows)'],
  [`${WINDOWS} ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`, 'Edge (Windows)'],
  [`${WINDOWS} ${WEBKIT} Chrome/143.0.0.0 Safari/537.36 OPR/125.0.0.0`, 'Opera (Windows)'],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/143.0.0.0 Mobile Safari/537.36`, 'Chrome (Android)'],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet (Android)',
  ],
  [`${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`, 'Safari (iPhone)'],
  [`${IPHONE} CriOS/143.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome (iPhone)'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Safari (Mac)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0', 'Firefox (Linux)'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/143.0.0.0 Safari/537.36`, 'Chrome (ChromeOS)'],
  ['curl/8.5.0', null],
  ['', null],
  [null, null],
])('of %j is %j', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test('no user agent gives more than the names of the list, and a long one costs nothing', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000 }), (text) => {
      expect((browserName(`${text} Chrome/1 Windows`) ?? '').length).toBeLessThanOrEqual(40);
    }),
  );
  const start = process.cpuUsage();
  expect(browserName('x'.repeat(250_000))).toBeNull();
  const { user } = process.cpuUsage(start);
  expect(user).toBeLessThan(20_000);
});
