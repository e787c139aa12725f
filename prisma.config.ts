import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma/config';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

// Without this variable, the CLI would download a schema engine. The CLI reads this file before it looks for an engine.
process.env.PRISMA_SCHEMA_ENGINE_BINARY = path('./prisma/schema-engine.mjs');
// The CLI must not check for updates over the network or print a message about updates.
process.env.CHECKPOINT_DISABLE ??= '1';
process.env.PRISMA_HIDE_UPDATE_MESSAGE ??= '1';

const url = process.env.DATABASE_URL;

export default defineConfig({
  schema: path('./prisma/schema.prisma'),
  migrations: { path: path('./prisma/migrations') },
  // `generate`, `format`, and `validate` need no database.
  ...(url ? { datasource: { url } } : {}),
});
