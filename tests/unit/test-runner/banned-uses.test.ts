import { expect, test } from 'vitest';
import { bannedUses } from '@/scripts/check/banned-uses';

const PRIVATE = [
  "const key = Reflect.get(parser.constructor, 'kOnBody');",
  "Reflect.get(client, 'processID');",
  "Reflect.set(parser, 'onIncoming', () => 2);",
  "Object.defineProperty(req, 'readableDidRead', { value: false });",
  'socket.destroySoon = () => close(socket);',
  'socket._read(0);',
  'req.push = (chunk) => push(chunk);',
  'socket.resume = () => socket;',
  'res.writeHead = wrap(writeHead);',
  'ServerResponse.prototype.writeHead.call(res, 200);',
  'TcpServer.prototype.close.call(server);',
  'process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = text;',
  'client.connection.stream.destroy();',
  'client.connection?.stream?.destroy();',
  'Object.assign(pool, { connect: own });',
  'adapter.queryRaw = async (query) => read(query);',
  'const performIO = adapter.performIO.bind(adapter);',
];
const CURRENCIES = [
  "new Intl.NumberFormat('en', { style: 'currency', currency })",
  '(5).toLocaleString("en", { "style": "currency" })',
  "new Intl.DisplayNames(['en'], { type: 'currency' })",
  "Intl.supportedValuesOf('currency')",
  "{ currencyDisplay: 'code' }",
];
const ZONES = [
  'sql`(b.starts_at AT TIME ZONE b.time_zone)::date`',
  "sql`b.starts_at at time\n zone 'UTC'`",
  'sql`timezone(b.time_zone, b.starts_at)`',
  "new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone }).format(now)",
  "new Intl.DateTimeFormat('en', {\n  timeZone: booking.time_zone,\n})",
  "now.toLocaleString('en', { timeZone: zone })",
  "Intl.supportedValuesOf('timeZone')",
];

test.each([...PRIVATE, ...CURRENCIES, ...ZONES])('refuses %j', (code) => {
  expect(bannedUses('lib/a.ts', `const one = 1;\n${code};`)[0]).toMatch(/^lib\/a\.ts:2: ".+": /);
});

test.each([
  'socket.resume();',
  'if (res.end === other) return;',
  'class Own extends ServerResponse { override writeHead(status: number) {} }',
  'const { push } = list; list.push(1);',
  "new Intl.NumberFormat('en', { style: 'percent' })",
  "{ path: 'price.currency' }",
  "{ type: 'currencies' }",
  "new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })",
  'Intl.DateTimeFormat().resolvedOptions().timeZone',
  '// No AT TIME ZONE: PostgreSQL has other rules.',
  'const { timeZone } = location;',
])('accepts %j', (code) => {
  expect(bannedUses('lib/x.ts', code)).toEqual([]);
});
