import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  type McpServer,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';

/** Bytes. The longest call of a tool is far smaller. */
const MAX_BODY = 256 * 1024;
const MAX_SESSIONS = 100;
/** Milliseconds without a request. */
const SESSION_LIFETIME = 3_600_000;
const MAX_CONNECTIONS = 200;

type Serve = { token: string; build: (conversation: string) => McpServer };

const refusal = (status: number, message: string, headers: Record<string, string> = {}) =>
  Response.json({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }, { status, headers });

const digest = (text: string) => createHash('sha256').update(text).digest();

function handlerOf({ token, build }: Serve): (request: Request) => Promise<Response> {
  const expected = digest(`Bearer ${token}`);
  // The new protocol has no sessions.
  const modern = createMcpHandler(() => build(''), { legacy: 'reject', maxRequestBodySize: MAX_BODY });
  const sessions = new LRUCache<string, WebStandardStreamableHTTPServerTransport>({
    max: MAX_SESSIONS,
    ttl: SESSION_LIFETIME,
    updateAgeOnGet: true,
    dispose: (transport) => void transport.close(),
  });
  const newSession = async () => {
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => void sessions.set(id, transport),
      maxRequestBodySize: MAX_BODY,
    });
    transport.onclose = () => void sessions.delete(id);
    await build(id).connect(transport);
    return transport;
  };
  return async (request) => {
    const foreign =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (foreign) return foreign;
    if (!timingSafeEqual(digest(request.headers.get('authorization') ?? ''), expected))
      return refusal(401, 'Send Authorization: Bearer and the value of MCP_TOKEN.', { 'WWW-Authenticate': 'Bearer' });
    if (new URL(request.url).pathname !== '/mcp') return refusal(404, 'The path is /mcp.');
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY }))) return modern.fetch(request);
    const id = request.headers.get('mcp-session-id');
    if (id === null) return (await newSession()).handleRequest(request);
    return sessions.get(id)?.handleRequest(request) ?? refusal(404, 'Unknown session.');
  };
}

function requestOf(req: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/', headers } = req;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url.startsWith('/') ? url : '/', 'http://localhost'), {
    method,
    headers: new Headers(Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)])),
    signal,
    ...(hasBody && { body: Readable.toWeb(req) as never, duplex: 'half' }),
  });
}

async function answer(handle: (request: Request) => Promise<Response>, req: IncomingMessage, res: ServerResponse) {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const { status, headers, body } = await handle(requestOf(req, gone.signal));
  res.writeHead(status, Object.fromEntries(headers));
  if (body) await pipeline(Readable.fromWeb(body as ReadableStream), res);
  else res.end();
}

/** Serves MCP over HTTP to programs of this computer. */
export function serveHttp(serve: Serve, port: number): Promise<Server> {
  const handle = handlerOf(serve);
  const server = createServer((req, res) => {
    answer(handle, req, res).catch(() => res.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
