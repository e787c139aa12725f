// Runs a server whose edge has no partner routes, so that Next.js responds to partner requests. A test compares these
// responses with those of the edge.
import { createServer } from 'node:http';
import next from 'next';
import { listen } from '@/lib/http/edge/lifecycle';
import { createEdgeServer } from '@/lib/http/edge/server';
import { applyRecordedConfig } from '@/scripts/server/next-config';

applyRecordedConfig(process.cwd());
const app = next({ dev: false, hostname: 'localhost', port: 0, httpServer: createServer() });
await app.prepare();
const server = createEdgeServer({ next: app.getRequestHandler(), trustedProxies: 0, draining: false });
process.on('SIGTERM', () => process.exit(0));
process.send?.({ type: 'ready', port: await listen(server, undefined, 0) });
