/** A program from tests/clients/node_modules/.bin, and its arguments. */
export type Command = { bin: string; args: string[] };

const DOCUMENT = './generated/openapi.json';

/** The linters. Each one must exit with code 0 for the OpenAPI document. */
export const LINTERS: Record<string, Command> = {
  'Spectral: spectral:oas and the OWASP ruleset': {
    bin: 'spectral',
    args: ['lint', DOCUMENT, '--ruleset', 'spectral.yaml', '--fail-severity', 'hint'],
  },
};

/**
 * The generators, by the name of their adapter in tests/clients/adapters. openapi-typescript is not in this list, and
 * Redocly's ruleset is not among the linters, because `npm test` runs both (tests/contract/typed-client.test.ts and
 * tests/contract/openapi.test.ts).
 */
export const GENERATORS: Record<string, Command> = {
  'hey-api': { bin: 'openapi-ts', args: ['-i', DOCUMENT, '-o', 'generated/hey-api', '-c', '@hey-api/client-fetch'] },
  orval: { bin: 'orval', args: ['--config', './orval.config.cjs'] },
  oazapfts: { bin: 'oazapfts', args: [DOCUMENT, 'generated/oazapfts/client.ts'] },
  'openapi-zod-client': {
    bin: 'openapi-zod-client',
    args: [DOCUMENT, '-o', 'generated/openapi-zod-client/client.ts'],
  },
  'swagger-typescript-api': {
    bin: 'swagger-typescript-api',
    args: ['generate', '-p', DOCUMENT, '-o', 'generated/swagger-typescript-api', '-n', 'client.ts'],
  },
};
