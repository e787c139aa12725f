import { createServer } from 'node:http';
import type { Edge } from '@/lib/http/edge/exchange';
import type { Upgrade } from '@/lib/http/edge/server';

export type Pages = { handle: Edge['next']; upgrade: Upgrade; load: () => Promise<unknown> };

/**
 * Returns the handlers of Next.js, which only pages need. It is loaded by `load` or the first request. Loading takes
 * half a second of processor time.
 */
export function createPages(dev: boolean, port: number): Pages {
  // Next handles each `upgrade` event of its `httpServer`. `unheard` never listens, so its only such events are those
  // that `upgrade` emits for hot reload.
  const unheard = createServer();
  let loading: Promise<Edge['next']> | null = null;
  const load = () => {
    loading ??= loadNext();
    return loading;
  };
  const loadNext = async (): Promise<Edge['next']> => {
    const { default: next } = await import('next');
    const app = next({ dev, dir: process.cwd(), hostname: 'localhost', port, httpServer: unheard });
    await app.prepare();
    return app.getRequestHandler();
  };
  return {
    handle: async (req, res) => (await load())(req, res),
    upgrade: (req, socket, head) =>
      req.url?.startsWith('/_next/') === true && unheard.emit('upgrade', req, socket, head),
    load,
  };
}
