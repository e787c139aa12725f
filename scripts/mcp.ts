// An MCP server: agents book through the REST API. Published as the single file /docs/mcp.mjs.
import type { AddressInfo } from 'node:net';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createApi } from './mcp/api';
import { serveHttp } from './mcp/http';
import { readOptions, USAGE, UsageError } from './mcp/options';
import { mcpServer } from './mcp/tools';

async function run(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return console.log(USAGE);
  const { http, confirm, ...access } = readOptions(args, process.env);
  const api = createApi(access);
  const build = (conversation: string) => mcpServer({ api, confirm, conversation });
  if (!http) {
    // A process can serve several conversations, and can be restarted within one. Neither may double a booking.
    serveStdio(() => build(''));
    return;
  }
  const server = await serveHttp({ token: http.token, build }, http.port);
  console.error(`MCP server: http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}

run().catch((error: unknown) => {
  console.error(error instanceof UsageError ? `${error.message}\n\n${USAGE}` : error);
  process.exitCode = 2;
});
