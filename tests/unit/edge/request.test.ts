import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { EdgeRequest } from '@/lib/http/edge/request';

const MANY = Array.from({ length: 6_000 }, (_, i) => [`x-${i}`, '1']).flat();
const READ = ['Host', 'a', 'Authorization', 'b', 'AUTHORIZATION', 'c', 'Content-Length', '3', 'Expect', '100-continue'];
const JOINED = { host: 'a', authorization: 'b, c', 'content-length': '3', expect: '100-continue' };

/** Adds header lines to a request in the same way as Node's HTTP parser. Returns the request. */
function withLines<T extends IncomingMessage>(request: T, raw: string[]): T {
  Reflect.set(request, 'joinDuplicateHeaders', true);
  const add: unknown = Reflect.get(request as IncomingMessage, '_addHeaderLines');
  if (typeof add === 'function') Reflect.apply(add, request, [raw, raw.length]);
  return request;
}

it('the headers of a request with few lines are those of Node', () => {
  const raw = [...READ, 'X-Other', 'd', 'Cookie', 'e=1', 'Cookie', 'f=2'];
  const node = withLines(new IncomingMessage(new Socket()), raw);
  expect(withLines(new EdgeRequest(new Socket()), raw).headers).toEqual(node.headers);
});

it('of a request with many lines, only the headers that the server reads are kept', () => {
  const request = withLines(new EdgeRequest(new Socket()), [...MANY, ...READ]);
  expect(request.headers).toEqual(JOINED);
  expect(withLines(new IncomingMessage(new Socket()), [...MANY, ...READ]).headers).toMatchObject(JOINED);
  request.headers.host = 'changed';
  expect(request.headers.host).toBe('changed');
});

it('many lines cost a fraction of the processor time that Node needs for them', () => {
  const cost = (create: () => IncomingMessage) => {
    const before = process.cpuUsage();
    for (let i = 0; i < 20; i++) void withLines(create(), MANY).headers;
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const least = (create: () => IncomingMessage) => Math.min(...Array.from({ length: 5 }, () => cost(create)));
  const socket = new Socket();
  const own = least(() => new EdgeRequest(socket));
  expect(own).toBeLessThan(least(() => new IncomingMessage(socket)) / 2);
});
