import { describe, expect, it } from 'vitest';
import { ownCookies } from '@/lib/http/edge/headers';
import { maximumBody, oversizedHead, refusedBody } from '@/lib/http/edge/limits/size';

const SESSION = 'partner-booking-test.session';
const NAMES = new Set([SESSION, 'partner-booking-test.csrf']);

describe('ownCookies', () => {
  it.each([
    ['', undefined],
    ['a=1; b=2', undefined],
    [`a=1;${SESSION}=x;b=2`, `${SESSION}=x`],
    [`${SESSION}=x; partner-booking-test.csrf=y=z`, `${SESSION}=x; partner-booking-test.csrf=y=z`],
    [`${SESSION}=x; ${SESSION}=y`, `${SESSION}=x`],
    [`${SESSION}.0=x; partner-booking-live.session=x; __prerender_bypass=x; ${SESSION}`, undefined],
    [`${SESSION}=${'x'.repeat(4096)}; partner-booking-test.csrf=y`, 'partner-booking-test.csrf=y'],
  ])('%.60s', (header, expected) => expect(ownCookies(header, NAMES)).toBe(expected));
});

describe('oversizedHead', () => {
  it.each([
    ['/docs', 0, null],
    [`/docs?${'a'.repeat(2048)}`, 200, null],
    [`/docs?${'a'.repeat(2049)}`, 0, 414],
    [`/${'a'.repeat(2048)}`, 0, 414],
    [`/api/auth/callback/oidc?${'a'.repeat(4096)}`, 0, null],
    [`/api/auth/callback/oidc?${'a'.repeat(4097)}`, 0, 414],
    ['/docs', 202, 431],
    [`/api/trpc/${Array(10).fill('a').join(',')}?batch=1`, 0, null],
    [`/api/trpc/${Array(11).fill('a').join(',')}?batch=1`, 0, 413],
    [`/api/trpc/${Array(11).fill('a').join('%2c')}?batch=1`, 0, 413],
  ])('%.40s with %i raw headers', (target, headers, status) => {
    const path = target.split('?')[0] ?? '';
    expect(oversizedHead(target, path, Array<string>(headers).fill('a'))?.status ?? null).toBe(status);
  });
});

describe('maximumBody', () => {
  it.each([
    ['/sign-in', false, 16],
    ['/api/auth/callback/credentials', false, 16],
    ['/api/inngest', false, 16],
    ['/api/inngest', true, 4096],
    ['/api/trpc/applications.create', false, 256],
    ['/api/trpc/catalog.transfer.check', false, 4096],
    ['/api/trpc/catalog.transfer.check,catalog.transfer.apply', false, 4096],
    ['/api/trpc/bookings.transfer.check', false, 4096],
    ['/api/trpc/calendars.upload', false, 4096],
    ['/api/trpc/calendars.uploaded', false, 256],
    ['/api/trpc/catalog.transfer.check%2Capplications.create', false, 256],
  ])('%s (Inngest: %s): %i KiB', (path, inngest, kibibytes) => {
    expect(maximumBody(path, inngest)).toBe(kibibytes * 1024);
  });

  it('compares the announced length, and needs one', () => {
    expect(refusedBody({ headers: {} }, 10)).toBeNull();
    expect(refusedBody({ headers: { 'content-length': '10' } }, 10)).toBeNull();
    expect(refusedBody({ headers: { 'content-length': '11' } }, 10)?.status).toBe(413);
    expect(refusedBody({ headers: { 'transfer-encoding': 'chunked' } }, 10)?.status).toBe(411);
  });
});
