import { statfs } from 'node:fs/promises';
import { Gauge, type Registry } from 'prom-client';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { checkHealth } from '../health';
import { sharedReading } from './shared-reading';
import { ENDPOINT_STATES, KEY_STATES, readEndpoints, readKeys, readSlots, SLOT_STATES } from './states';

/** Registers the gauge of the readiness of this process. */
export function registerReady(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_ready',
    help: '1 while /api/health reports that the instance is ready. 0 also while it is shutting down.',
    registers,
    aggregator: 'min',
    async collect() {
      this.set(Number((await checkHealth()) === 'ok'));
    },
  });
}

/** Registers the gauges of states that somebody must change before partners notice them. */
export function registerStates(registers: Registry[]): void {
  registerCounts(
    registers,
    'partner_booking_api_keys',
    'Keys in the whole deployment that no rotation has replaced: valid, expiring within seven days, or expired within the last seven days.',
    KEY_STATES,
    readKeys,
  );
  registerCounts(
    registers,
    'partner_booking_webhook_endpoints',
    'Endpoints in the whole deployment: working, failing since their last attempt, held (paused, or the application is not active), or disabled.',
    ENDPOINT_STATES,
    readEndpoints,
  );
  registerSlots(registers);
  registerDisk(registers);
}

function registerCounts<State extends string>(
  registers: Registry[],
  name: string,
  help: string,
  states: readonly State[],
  read: () => Promise<Record<State, number> | null>,
): void {
  new Gauge({
    name,
    help,
    labelNames: ['state'] as const,
    registers,
    async collect() {
      const found = await read();
      this.reset();
      if (found) for (const state of states) this.set({ state }, found[state]);
    },
  });
}

function registerSlots(registers: Registry[]): void {
  // Both gauges of this function are read at the same time, so they share one query.
  const readShared = sharedReading(readSlots, 0, systemClock);
  registerCounts(
    registers,
    'partner_booking_replication_slots',
    'Replication slots of the primary: active (a standby is connected), inactive, or lost (the standby must be set up again).',
    SLOT_STATES,
    readShared,
  );
  new Gauge({
    name: 'partner_booking_replication_slot_bytes',
    help: 'Bytes of the log that PostgreSQL keeps for the slowest replication slot; 0 without slots.',
    registers,
    async collect() {
      const found = await readShared();
      if (found) this.set(found.bytes);
      else this.remove();
    },
  });
}

function registerDisk(registers: Registry[]): void {
  new Gauge({
    name: 'partner_booking_data_dir_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR; no value if it cannot be read.',
    registers,
    async collect() {
      const path = env().DATA_DIR;
      const found = path ? await statfs(path).catch(() => null) : null;
      if (found) this.set(found.bavail * found.bsize);
      else this.remove();
    },
  });
}
