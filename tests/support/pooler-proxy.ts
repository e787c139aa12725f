import { type DatabaseProxy, startDatabaseProxy } from './database-proxy';

/** Applies the rules of a connection pooler in transaction mode. */
export type PoolerProxy = DatabaseProxy & {
  /** Statements that it would not run correctly, and startup parameters that it refused. */
  problems: string[];
  statements: () => number;
};

/** PgBouncer accepts these without `ignore_startup_parameters`. */
const PARAMETERS = new Set(['user', 'database', 'client_encoding', 'application_name', 'DateStyle', 'TimeZone']);

/** Their effect lasts longer than a transaction. */
const SESSION_STATE =
  /^(LISTEN|UNLISTEN|PREPARE|DISCARD|SET (?!LOCAL|TRANSACTION)|CREATE TEMP|LOAD)|WITH HOLD|pg_(try_)?advisory_lock|set_config\([^)]*false\)/i;

/**
 * Like PgBouncer in transaction mode: refuses startup parameters outside `PARAMETERS`, and records statements that depend on the session. `loseStatements` prepares statements under a wrong name, as if on
 * another connection.
 */
export async function startPoolerProxy(databaseUrl: string, { loseStatements = false } = {}): Promise<PoolerProxy> {
  const problems: string[] = [];
  let statements = 0;
  const check = (text: string) => {
    statements += 1;
    problems.push(...text.split(';').flatMap((sql) => (SESSION_STATE.test(sql.trim()) ? [sql.trim()] : [])));
  };
  const proxy = await startDatabaseProxy(databaseUrl, (client, upstream) => {
    const request = framed((message, type) => {
      if (type === null) {
        const refused = parametersOf(message).find((name) => !PARAMETERS.has(name));
        if (refused) {
          problems.push(`startup parameter ${refused}`);
          client.end(errorMessage(`unsupported startup parameter: ${refused}`));
          return;
        }
      }
      if (type === 'Q') check(textAt(message, 5));
      if (type === 'P') {
        const name = textAt(message, 5);
        check(textAt(message, 5 + Buffer.byteLength(name) + 1));
        if (loseStatements && name !== '') message.write('x', 5);
      }
      upstream.write(message);
    }, true);
    return { request, response: (chunk) => void client.write(chunk) };
  });
  return { ...proxy, problems, statements: () => statements };
}

/** Calls `handle` with each complete message. If `startup` is true, the first has no type. */
function framed(handle: (message: Buffer, type: string | null) => void, startup: boolean): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let untyped = startup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const header = untyped ? 0 : 1;
      if (rest.length < header + 4) return;
      const end = header + rest.readInt32BE(header);
      if (rest.length < end) return;
      const message = Buffer.from(rest.subarray(0, end));
      rest = rest.subarray(end);
      const type = untyped ? null : String.fromCharCode(message[0] ?? 0);
      untyped = false;
      handle(message, type);
    }
  };
}

function textAt(message: Buffer, offset: number): string {
  return message.toString('utf8', offset, message.indexOf(0, offset));
}

function parametersOf(message: Buffer): string[] {
  const words = message.toString('utf8', 8).split('\0');
  return words.filter((word, index) => index % 2 === 0 && word !== '');
}

function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${text}\0\0`);
  const header = Buffer.alloc(5);
  header.write('E');
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
}
