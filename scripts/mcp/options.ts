export const USAGE = `An MCP server for the Partner Booking API. It calls the API with your key, and needs Node.js 20 or newer.

  API=https://host/api/partner/v1 API_KEY=pbk_… node mcp.mjs              serves one agent over stdio
  … MCP_TOKEN=… node mcp.mjs --http 8765                                 serves http://127.0.0.1:8765/mcp

Environment:
  API        the base URL of the API
  API_KEY    a key of your application; its scopes limit the tools
  CONFIRM    required (default): a person confirms each write; off: the agent writes alone if the business allows it
  MCP_TOKEN  for --http: agents send it as Authorization: Bearer …; at least 16 characters
`;

export class UsageError extends Error {}

export type Options = {
  api: string;
  apiKey: string;
  /** Whether a person must confirm each write, also if the business does not require it. */
  confirm: boolean;
  /** Null for stdio. */
  http: { port: number; token: string } | null;
};

/** Reads the options of the MCP server. @throws UsageError for an unknown or invalid option; the message never contains a value */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): Options {
  const { API: api = '', API_KEY: apiKey = '', CONFIRM: confirm = 'required', MCP_TOKEN: token = '' } = env;
  if (!/^https?:\/\/\S+$/.test(api)) throw new UsageError('API must be the base URL of the API.');
  if (!/^pbk_\S+$/.test(apiKey)) throw new UsageError('API_KEY must be a key of your application.');
  if (confirm !== 'required' && confirm !== 'off') throw new UsageError('CONFIRM must be required or off.');
  const common = { api, apiKey, confirm: confirm === 'required' };
  if (args.length === 0) return { ...common, http: null };
  const [option, text = '', ...rest] = args;
  if (option !== '--http' || rest.length > 0) throw new UsageError('The only option is --http <port>.');
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UsageError('--http must be a port.');
  if (!/^[!-~]{16,}$/.test(token)) throw new UsageError('MCP_TOKEN must have at least 16 characters without spaces.');
  return { ...common, http: { port, token } };
}
