import { get, type IncomingMessage, type Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, it } from 'vitest';
import type { Routes } from '@/lib/http/edge/exchange';
import { listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { edgeWith } from '../../support/edge';
import { sharedServer } from '../../support/shared';

const BODY = `{"data":"${'catalog '.repeat(50_000)}"}`;
const REQUESTS = 60;
/** More characters than the edge reads of an Accept-Encoding header. */
const LONG = `gzip,${'a,'.repeat(30_000)}`;

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

/** Returns the encoding and the decoded body of a response. */
function fetched(origin: string, path: string, acceptEncoding: string): Promise<{ encoding: string; text: string }> {
  return new Promise((resolve, reject) => {
    const onResponse = (res: IncomingMessage) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        const encoding = res.headers['content-encoding'] ?? 'identity';
        const bytes = Buffer.concat(chunks);
        resolve({ encoding, text: (encoding === 'gzip' ? gunzipSync(bytes) : bytes).toString() });
      });
    };
    get(origin + path, { headers: { 'accept-encoding': acceptEncoding }, agent: false }, onResponse).on(
      'error',
      reject,
    );
  });
}

it('compresses few responses at a time and sends the others as they are', async () => {
  const respond = async () => ({ status: 200, headers: {}, body: BODY });
  const routes = new Proxy({}, { get: () => respond }) as Routes;
  server = createEdgeServer(edgeWith({ routes }));
  const origin = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`;
  const path = '/api/partner/v1/catalog';
  expect((await fetched(origin, path, 'gzip')).encoding).toBe('gzip');
  expect((await fetched(origin, path, LONG)).encoding).toBe('identity');
  const all = await Promise.all(Array.from({ length: REQUESTS }, () => fetched(origin, path, 'gzip')));
  expect(new Set(all.map(({ text }) => text))).toEqual(new Set([BODY]));
  const compressed = all.filter(({ encoding }) => encoding === 'gzip').length;
  expect(compressed).toBeGreaterThan(0);
  expect(compressed).toBeLessThan(REQUESTS);
});

it('ignores an Accept-Encoding header of 60 KB', async () => {
  const { origin } = sharedServer();
  expect((await fetched(origin, '/docs', 'gzip')).encoding).toBe('gzip');
  expect((await fetched(origin, '/docs', LONG)).encoding).toBe('identity');
});
