import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Booking, ExplainAvailabilityData, Slot } from '@/lib/contract/client';
import { BASE_PATH } from '@/lib/contract/operations';
import { createApi, type Refusal } from '@/scripts/mcp/api';
import { serveHttp } from '@/scripts/mcp/http';
import { readOptions } from '@/scripts/mcp/options';
import { mcpServer } from '@/scripts/mcp/tools';
import { sharedServer } from '@/tests/support/shared';

/** What the tools return, of which each has only some. */
type ToolData = {
  services: { id: string; name: string }[];
  locations: { id: string; name: string }[];
  specialists: { id: string }[];
  slots: Slot[];
  starts: ExplainAvailabilityData['starts'];
  bookings: Booking[];
  booking: Booking;
  slot: Slot;
  status: number;
  repeated: boolean;
  advice: string;
  confirmation_required: { question: string; code: string };
  error: Refusal;
};

/** What an agent gets from a tool. */
export type ToolAnswer = { isError: boolean; data: ToolData; text: string };

export type Answer = 'accept' | 'decline' | 'cancel' | 'no answer possible';

/** How an agent reaches the server. `new` is the protocol without sessions, of 2026-07-28. */
export type Way = 'stdio, old' | 'stdio, new' | 'http, old' | 'http, new';

export type Agent = {
  call: (tool: string, args?: object) => Promise<ToolAnswer>;
  client: Client;
  /** What the person was asked. */
  asked: string[];
  close: () => Promise<void>;
};

export const TOKEN = 'token-of-this-computer';

/** Writes the published server to a directory without packages. */
export async function publishedServer() {
  const response = await fetch(`${sharedServer().origin}/docs/mcp.mjs`);
  if (!response.ok) throw new Error(`The MCP server is not published: ${response.status}.`);
  const directory = await mkdtemp(join(tmpdir(), 'mcp-'));
  const file = join(directory, 'mcp.mjs');
  await writeFile(file, await response.text());
  return { file, remove: () => rm(directory, { recursive: true, force: true }) };
}

export const environmentOf = (key: string, more: Record<string, string> = {}) => ({
  API: sharedServer().origin + BASE_PATH,
  API_KEY: key,
  MCP_TOKEN: TOKEN,
  ...more,
});

/** Starts the published server over HTTP. Returns its URL. */
export async function startPublished(file: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [file, '--http', '0'], { env: env as unknown as NodeJS.ProcessEnv });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [found] = /http:\S+/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return { url, stop: () => child.kill() };
}

/** Starts the server over HTTP in this process. */
export async function startHttp(env: Record<string, string>) {
  const { http, confirm, ...access } = readOptions(['--http', '0'], env as unknown as NodeJS.ProcessEnv);
  if (!http) throw new Error('No HTTP.');
  const api = createApi(access);
  const build = (conversation: string) => mcpServer({ api, confirm, conversation });
  const server = await serveHttp({ token: http.token, build }, http.port);
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, stop };
}

/** Connects the official client. The person behind it answers every question with `answer`. */
export async function connect(
  way: Way,
  target: { file: string; url: string; env: Record<string, string> },
  answer: Answer = 'accept',
): Promise<Agent> {
  const asked: string[] = [];
  const canAsk = answer !== 'no answer possible';
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: canAsk ? { elicitation: { form: {} } } : {},
      ...(way.endsWith('new') && { versionNegotiation: { mode: { pin: '2026-07-28' } } }),
    },
  );
  if (canAsk)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params.message);
      return answer === 'accept' ? { action: answer, content: { confirm: true } } : { action: answer };
    });
  const { file, url, env } = target;
  await client.connect(
    way.startsWith('stdio')
      ? new StdioClientTransport({ command: process.execPath, args: [file], env, stderr: 'inherit' })
      : new StreamableHTTPClientTransport(new URL(url), {
          requestInit: { headers: { Authorization: `Bearer ${TOKEN}` } },
        }),
  );
  const call: Agent['call'] = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    const [first] = result.content as { text?: string }[];
    return { isError: result.isError === true, data: result.structuredContent as ToolData, text: first?.text ?? '' };
  };
  return { call, client, asked, close: () => client.close() };
}
