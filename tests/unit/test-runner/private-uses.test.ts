import { expect, test } from 'vitest';
import { privateProblems } from '@/scripts/check/private-uses';

test.each([
  "const key = Reflect.get(parser.constructor, 'kOnBody');",
  "Reflect.set(parser, 'onIncoming', () => 2);",
  "Object.defineProperty(req, 'readableDidRead', { value: false });",
  'socket.destroySoon = () => close(socket);',
  'socket._read(0);',
  'req.push = (chunk) => push(chunk);',
  'socket.resume = () => socket;',
  'res.writeHead = wrap(writeHead);',
  'ServerResponse.prototype.writeHead.call(res, 200);',
  'process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = text;',
  'client.connection.stream.destroy();',
  'client.connection?.stream?.destroy();',
  'Object.assign(pool, { connect: own });',
])('%s is refused', (line) => {
  expect(privateProblems('lib/a.ts', `// reason\n${line}\n`)[0]).toMatch(/^lib\/a\.ts:2: ".+" is private/);
});

test.each([
  'socket.resume();',
  'if (res.end === other) return;',
  'class Own extends ServerResponse { override writeHead(status: number) {} }',
  'const { push } = list; list.push(1);',
])('%s is public', (line) => {
  expect(privateProblems('lib/a.ts', line)).toEqual([]);
});
