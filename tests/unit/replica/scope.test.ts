import { afterEach, expect, test, vi } from 'vitest';
import { closeReplica, usableReplica } from '@/lib/platform/replica/replica';
import { controlCenterTenant, inControlCenter } from '@/lib/platform/tenant-scope';

const seen = vi.hoisted((): (string | null)[] => []);

vi.mock('@/lib/platform/env', () => ({
  env: () => ({ REPLICA_MAX_LAG: 40, DATABASE_REPLICA_URL: 'postgres://replica' }),
}));
vi.mock('@/lib/platform/log', () => ({ log: () => ({ warn: () => {} }) }));
vi.mock('@/lib/platform/db', () => ({
  pool: () => ({
    query: async () => {
      seen.push(controlCenterTenant());
      return { rows: [{ position: '1' }] };
    },
  }),
}));
vi.mock('@/lib/platform/replica/server', () => ({
  replicaHosts: () => 1,
  connectReplica: async () => ({ database: {}, replayed: async () => 1n, close: () => {} }),
}));

afterEach(() => closeReplica());

test('the lag is measured outside the turns of the tenant whose page was first', async () => {
  inControlCenter('ten_01jd8x4t5wf3rbq0zk6m7n8p9q', () => usableReplica());
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(2));
  expect(new Set(seen)).toEqual(new Set([null]));
});
