#!/usr/bin/env node
// The Prisma CLI starts this program instead of the native binary of Prisma's schema engine, which would have to be
// downloaded. It runs the WebAssembly build of the engine from npm. Like the native binary, it gets command-line
// arguments and exchanges JSON-RPC messages with the CLI, one per line.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as engineModule from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/**
 * Instantiates the engine from its .wasm file. The package's entry point cannot be used, because it imports the .wasm
 * file as a module, and Node 20 cannot import such files.
 */
async function loadEngine() {
  const file = new URL('./schema_engine_bg.wasm', import.meta.resolve('@prisma/schema-engine-wasm'));
  const imports = { './schema_engine_bg.js': engineModule };
  const { instance } = await WebAssembly.instantiate(readFileSync(file), imports);
  engineModule.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engineModule.SchemaEngine;
}

function adjust(adapter) {
  // The original method splits a script at every semicolon, even in comments and functions. A script that is sent whole
  // runs in a transaction, which CONCURRENTLY does not allow.
  adapter.executeScript = async (script) => {
    try {
      await adapter.underlyingDriver().query(script.replaceAll(/\bCONCURRENTLY\b/gi, ''));
    } catch (error) {
      adapter.onError(error);
    }
  };
  // The adapter rejects columns of the type "char" in system catalogs. This method reads them as text, and returns the
  // type that the engine expects.
  const performIO = adapter.performIO.bind(adapter);
  adapter.queryRaw = async (query) => {
    const chars = new Set();
    const reader = Object.create(adapter);
    reader.performIO = async (...args) => {
      const result = await performIO(...args);
      const field = (described, index) => {
        if (described.dataTypeID !== pg.types.builtins.CHAR) return described;
        chars.add(index);
        return { ...described, dataTypeID: pg.types.builtins.TEXT };
      };
      return { ...result, fields: result.fields.map(field) };
    };
    const result = await Object.getPrototypeOf(adapter).queryRaw.call(reader, query);
    const columnTypes = result.columnTypes.map((type, index) => (chars.has(index) ? ColumnTypeEnum.Character : type));
    return { ...result, columnTypes };
  };
  return adapter;
}

/**
 * Returns the adapter factory for the engine. `connect` opens the database at `url`. `connectToShadowDb` creates a
 * shadow database on the same server, in which the engine replays the migrations.
 */
function adapterFactory(url) {
  // Without a URL, the driver would connect to its default address.
  if (!url) throw new Error('DATABASE_URL is not set.');
  // The adapter gets the parts of the connection string. With the whole string, it would always connect to the database
  // in the string, never to the shadow database.
  const { host, port, user, password, database, ssl } = new pg.Client({ connectionString: url });
  // The lock that serializes migrations belongs to one connection. All statements therefore use this connection, and
  // it is never closed for being idle.
  const config = { host, port, user, password, database, ssl, max: 1, idleTimeoutMillis: 0 };
  const main = new PrismaPg(config);
  return {
    provider: main.provider,
    adapterName: main.adapterName,
    connect: async () => adjust(await main.connect()),
    connectToShadowDb: async () => {
      const admin = await main.connect();
      const name = `prisma_migrate_shadow_db_${randomUUID()}`;
      await admin.executeScript(`CREATE DATABASE "${name}"`);
      const shadow = adjust(await new PrismaPg({ ...config, database: name }).connect());
      const close = shadow.dispose.bind(shadow);
      shadow.dispose = async () => {
        // The connections are closed first, because PostgreSQL cannot drop a database that has connections.
        await close();
        await admin.executeScript(`DROP DATABASE "${name}"`);
        await admin.dispose();
      };
      return shadow;
    },
  };
}

function readArguments(argv) {
  const after = (flag) => argv.flatMap((arg, index) => (argv[index - 1] === flag ? [arg] : []));
  const files = after('--datamodels');
  const [datasource] = after('--datasource');
  return {
    // Undefined if there are no files, because the engine would read an empty list as a schema without a datasource.
    datamodels: files.length > 0 ? files.map((file) => [file, readFileSync(file, 'utf8')]) : undefined,
    url: datasource ? JSON.parse(datasource).url : undefined,
  };
}

let panic = '';
globalThis.PRISMA_WASM_PANIC_REGISTRY = {
  set_message: (message) => {
    panic = message;
  },
};

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Calls a method of the engine. Returns the result in the form that the CLI expects. */
async function call(engine, method, params) {
  if (method === 'getDatabaseVersion') return engine.version(params);
  const result = (await engine[method](params)) ?? {};
  if (method !== 'diff') return result;
  // The CLI prints the output, or writes it to the file of `--output`.
  if (result.stdout) send({ id: randomUUID(), method: 'print', params: { content: result.stdout } });
  return { ...result, stdout: null };
}

/** Returns an error as the CLI expects it: message, Prisma's error code, and whether it was a panic. */
function rpcError(error) {
  const message = panic || error?.message || String(error);
  const data = { is_panic: panic !== '', message, meta: error?.meta ?? null, error_code: error?.code ?? null };
  return { code: 4466, message: 'An error happened. Check the data field for details.', data };
}

async function serve() {
  const { datamodels, url } = readArguments(process.argv.slice(2));
  const SchemaEngine = await loadEngine();
  let engine;
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = line.trim() === '' ? {} : JSON.parse(line);
    if (method === undefined) continue;
    try {
      engine ??= await SchemaEngine.new(
        { datamodels },
        () => {},
        bindMigrationAwareSqlAdapterFactory(adapterFactory(url)),
      );
      send({ id, result: await call(engine, method, params) });
    } catch (error) {
      send({ id, error: rpcError(error) });
    }
  }
}

// Before every command, the CLI runs `cli can-connect-to-database`. This check always succeeds here, because the
// command itself reports connection errors.
if (process.argv.includes('cli')) process.exit(0);
if (process.argv.includes('--version')) {
  process.stdout.write('schema-engine-cli wasm\n');
  process.exit(0);
}
await serve();
process.exit(0);
