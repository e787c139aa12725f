import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sharedTenantLock } from '@/lib/platform/locks';

/**
 * A fault of a COMMIT. `lost`: the connection breaks before the COMMIT reaches the database. `unanswered`: the database
 * commits, but the connection breaks before the response is forwarded. `hung`: the response is never forwarded.
 */
export type CommitFault = 'lost' | 'unanswered' | 'hung';

/** A proxy between servers and their database that injects faults into COMMITs. */
export type CommitProxy = {
  /** The database URL through the proxy. */
  url: string;
  /**
   * Makes the COMMIT of the tenant's next booking write fail. Resolves after the fault. Unless the COMMIT was lost,
   * the database has committed by then.
   */
  failNext: (tenantId: string, fault: CommitFault) => Promise<void>;
  stop: () => Promise<void>;
};

const BEGIN = Buffer.from('BEGIN', 'latin1');

/** COMMIT as a simple query message of PostgreSQL's protocol. */
const COMMIT = Buffer.from('Q\0\0\0\x0bCOMMIT\0', 'latin1');

type Armed = { opening: string; fault: CommitFault; happened: () => void };

/**
 * Starts a proxy in front of a database. The servers behind it also commit transactions of their background work. A
 * fault therefore applies only to a transaction that begins by taking the tenant's lock, as every booking write does.
 */
export async function startCommitProxy(databaseUrl: string): Promise<CommitProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let armed: Armed | null = null;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one.setNoDelay());
      one.on('error', () => one.destroy()).on('close', () => sockets.delete(one) && other.destroy());
    }
    let failing: Armed | null = null;
    let opening: Buffer | null = null;
    client.on('data', (chunk) => {
      if (chunk.includes(BEGIN)) opening = chunk;
      if (armed && chunk.includes(COMMIT) && opening?.includes(armed.opening)) {
        failing = armed;
        armed = null;
      }
      if (failing?.fault !== 'lost') upstream.write(chunk);
      else breakOff(client, failing);
    });
    upstream.on('data', (chunk) => {
      if (!failing) client.write(chunk);
      else if (failing.fault === 'unanswered') breakOff(client, failing);
      else failing.happened();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    failNext: (tenantId, fault) =>
      new Promise((happened) => {
        armed = { opening: sharedTenantLock(tenantId), fault, happened };
      }),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function breakOff(client: Socket, { happened }: Armed): void {
  client.resetAndDestroy();
  happened();
}
