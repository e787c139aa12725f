import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDisguisedOperatorPath, isPartnerArea, originForm, partnerRouteAt, pathOf } from '@/lib/http/edge/target';
import { matchPath } from '@/lib/http/partner-api/admission';

/**
 * `known`: an operation's route responds. `refused`: the catch-all route refuses the request. `other`: the path is
 * outside the partner API.
 */
function classifyTarget(method: string, path: string): 'known' | 'refused' | 'other' {
  const route = partnerRouteAt(method, path);
  if (route === null) return 'other';
  return route === 'unknown' ? 'refused' : 'known';
}

describe('originForm', () => {
  it.each([
    ['/a?b', '/a?b'],
    ['//a', '//a'],
    ['http://host/a?b', '/a?b'],
    ['HTTPS://user@host:1/a', '/a'],
    ['http://host', '/'],
    ['http://host?a=b', '/?a=b'],
    ['http:///api/partner', '/api/partner'],
    ['http://host//api/partner', '//api/partner'],
    ['*', '*'],
    ['host:443', 'host:443'],
    ['ftp://host/a', 'ftp://host/a'],
  ])('%s', (target, expected) => expect(originForm(target)).toBe(expected));
});

describe('pathOf', () => {
  it.each([
    ['/a?b?c', '/a'],
    ['/a#b', '/a#b'],
    ['?', ''],
  ])('%s', (target, expected) => expect(pathOf(target)).toBe(expected));
});

describe('isDisguisedOperatorPath', () => {
  it.each(['/api/metrics', '/api/health', '/api/health/live', '/api/catalog'])('%s is none', (path) =>
    expect(isDisguisedOperatorPath(path)).toBe(false),
  );

  it.each(['/api/metrics/', '/API/Metrics', '/api//health', '/x/../api/metrics'])('%s is one', (path) =>
    expect(isDisguisedOperatorPath(path)).toBe(true),
  );
});

describe('partnerRouteAt', () => {
  const catalog = '/api/partner/v1/catalog';

  it.each(['', '/specialists'])('a literal known path with its method goes to its route: %s', (more) => {
    expect(classifyTarget('GET', catalog + more)).toBe('known');
  });

  it.each(['HEAD', 'POST', 'OPTIONS', 'TRACE', 'get', ''])('another method is refused: %s', (method) => {
    expect(classifyTarget(method, catalog)).toBe('refused');
  });

  it.each([
    '/api/partner',
    '/api/partner/',
    '/api/partner/v1',
    '/api/partner/v2/catalog',
    '/api/partner/v1/unknown-route',
    `${catalog}/`,
    `${catalog}//specialists`,
    `/${catalog}`,
    `${catalog}/${'a'.repeat(65_536)}`,
    `//${catalog}`,
    `//host${catalog}`,
    `/\\host${catalog}`,
    '/./api/partner/v1/catalog',
    '/api/./partner/v1/catalog',
    '/api/partner/v1/./catalog',
    '/api/partner/v1/../v1/catalog',
    '/api/partner/../health',
    '/docs/../api/partner/v1/catalog',
    '/docs/%2e%2E/api/partner/v1/catalog',
    '/docs/%252e%252e/api/partner/v1/catalog',
    '/%61pi/partner/v1/catalog',
    '/api%2Fpartner%2fv1/catalog',
    '/api/p%2561rtner/v1/catalog',
    '/api/p%25252561rtner/v1/catalog',
    '/api/p%%36%31rtner/v1/catalog',
    '/api\\partner\\v1\\catalog',
    '/\\api/partner/v1/catalog',
    '/API/PARTNER/v1/catalog',
    '/api/\tpartner/v1/catalog',
    '/api/par%09tner/v1/catalog',
    '/ api/partner/v1/catalog',
    '/api/partner;x=y/v1/catalog',
    '/api/partner%00/v1/catalog',
    '/api/partner.json',
    `${catalog}%zz`,
    `${catalog}%00`,
    `${catalog}%ff`,
    `${catalog}.rsc`,
    `${catalog}#fragment`,
    '/_next/data/build/api/partner/v1/catalog.json',
    '*',
    '',
    'host:443',
    'api/partner/v1/catalog',
  ])('another spelling is refused: %j', (path) => {
    expect(classifyTarget('GET', path)).toBe('refused');
  });

  it.each([
    '/',
    '/docs',
    '/api/health',
    '/api/trpc/x',
    '/api/partners',
    '/api/partner-docs',
    '/docs/api/partner',
    '/_next/static/api/partner.js',
    '/docs/%61',
    '/a//b',
    '/api//health',
  ])('the rest of the application: %s', (path) => expect(classifyTarget('GET', path)).toBe('other'));
});

/**
 * Generates a segment of a path. It is either from a real path or obfuscated. Every known way to obfuscate a segment
 * occurs.
 */
const word = fc.constantFrom(
  ...['api', 'partner', 'v1', 'catalog', 'specialists', 'bookings', 'actions', 'docs', '_next', 'data'],
  ...[
    '',
    '.',
    '..',
    '%2e%2e',
    '%2E.',
    '%61pi',
    'API',
    'p%61rtner',
    'partner%00',
    'partner;a',
    '%2f',
    '%5c',
    '\\',
    '%zz',
    '%ff',
    '%25',
    '\t',
  ],
);
const nearPath = fc
  .array(
    fc.tuple(
      fc.constantFrom('/', '//', '\\', '%2f', '/./', '/x/../'),
      fc.oneof({ weight: 9, arbitrary: word }, fc.string()),
    ),
  )
  .map((parts) => `/${parts.flat().join('')}`);

describe('a hostile path', () => {
  it.each(['/api/', '/%2e', '//', '/api/partner', '%25'])(
    'of 64 KiB of %s is classified within a second of processor time',
    (piece) => {
      const before = process.cpuUsage();
      classifyTarget('GET', `/${piece.repeat(65_536 / piece.length)}x`);
      const { user, system } = process.cpuUsage(before);
      expect(user + system).toBeLessThan(1_000_000);
    },
  );
});

it.each(['%25', '%2525', '/%2e', '/', 'a/'])('64 KiB of %s take no more processor time than 4 KiB', (piece) => {
  const cost = (length: number) => {
    const path = `/${piece.repeat(length / piece.length)}x`;
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) classifyTarget('GET', path);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const least = (length: number) => Math.min(...Array.from({ length: 5 }, () => cost(length)));
  least(4_096);
  expect(least(65_536)).toBeLessThan(4 * least(4_096));
});

describe('every path', () => {
  it('reaches a route only if it is literally a known path', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          nearPath,
          fc.webUrl().map((url) => new URL(url).pathname),
        ),
        fc.constantFrom('GET', 'POST'),
        (path, method) => {
          if (classifyTarget(method, path) !== 'known') return;
          expect(matchPath(path)?.methods).toContain(method);
          expect(path).toMatch(/^\/api\/partner\/v1(?:\/[A-Za-z0-9_.~-]+)+$/);
          expect(new URL(path, 'http://n').pathname).toBe(path);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('that a URL parser or a decoder interprets as a partner path is a partner path', () => {
    const readings = (path: string): string[] => {
      const read = [path, path.replace(/^[/\\]+/, '/'), path.replace(/[/\\]+/g, '/')];
      for (const text of [...read]) {
        if (URL.canParse(text, 'http://n')) read.push(new URL(text, 'http://n').pathname);
        try {
          read.push(decodeURIComponent(text));
          read.push(new URL(decodeURIComponent(text), 'http://n').pathname);
        } catch {
          // Next.js cannot decode this path either, so it is not tested.
        }
      }
      return read;
    };
    fc.assert(
      fc.property(nearPath, (path) => {
        const inside = readings(path).some((reading) => /^\/api\/partner(?:\/|$)/.test(reading));
        if (inside) expect(isPartnerArea(path)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
  });
});
