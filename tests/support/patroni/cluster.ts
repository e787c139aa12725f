import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { grantServer } from '@/lib/operations/environment/grants';
import { applyMigrations } from '@/lib/operations/environment/migrations';
import { until } from '../until';
import { settingsIn, startEtcd } from './etcd';
import { type Member, makeMember, type Owner } from './member';

const NAMES = ['one', 'two', 'three'];
const PASSWORD = 'for-tests-only';
/** Milliseconds. On a busy machine, copying the data of a leader takes long. */
const HEALTHY_WITHIN = 180_000;

type State = { name: string; role: string; state: string; timeline?: number };

export type Cluster = {
  /** Names all members. */
  url: string;
  /** As the members that are not `away` know it. */
  leader: (away?: Member) => Promise<Member | undefined>;
  /** Resolves when every member runs on the timeline of the leader, and one standby is synchronous. */
  untilHealthy: () => Promise<Member>;
  /** Kills a member and the etcd on its machine. */
  kill: (member: Member) => Promise<void>;
  restart: (member: Member) => void;
  /** From this member to the synchronous standby. */
  switchover: (member: Member) => Promise<void>;
  destroy: () => Promise<void>;
};

/** PostgreSQL refuses to run as root. */
async function ownerOf(): Promise<Owner> {
  if (process.getuid?.() !== 0) return null;
  const id = async (flag: string) => Number((await promisify(execFile)('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Makes the roles of `deploy/postgresql/roles.sql`, and the tables. */
async function prepare({ database }: Member, urlOf: (role: string) => string): Promise<void> {
  const admin = new pg.Client({ ...database, user: 'postgres', database: 'postgres' });
  await admin.connect();
  try {
    for (const statement of (await readFile('deploy/postgresql/roles.sql', 'utf8')).split(';'))
      if (statement.trim()) await admin.query(statement);
    for (const role of ['booking', 'booking_owner']) await admin.query(`ALTER ROLE ${role} PASSWORD '${PASSWORD}'`);
  } finally {
    await admin.end();
  }
  await applyMigrations(urlOf('booking_owner'));
  await grantServer(urlOf('booking_owner'), urlOf('booking'));
}

async function statesAt({ rest }: Member): Promise<State[]> {
  const reply = await fetch(`${rest}/cluster`, { signal: AbortSignal.timeout(3_000) }).catch(() => null);
  return reply?.ok ? ((await reply.json()) as { members: State[] }).members : [];
}

/** Three members with the files of `deploy/patroni`. */
export async function startCluster(): Promise<Cluster> {
  const parent = await mkdtemp(join(tmpdir(), 'patroni-'));
  const owner = await ownerOf();
  if (owner) await promisify(execFile)('chown', [`${owner.uid}:${owner.gid}`, parent]);
  await chmod(parent, 0o755);
  const etcd = await startEtcd(parent, NAMES);
  const members = await Promise.all(NAMES.map((name) => makeMember(name, { parent, owner, etcdPorts: etcd.ports })));
  if (owner) await promisify(execFile)('chown', ['-R', `${owner.uid}:${owner.gid}`, parent]);
  for (const member of members) member.start();
  const leader: Cluster['leader'] = async (away) => {
    for (const member of members.filter((one) => one !== away)) {
      const found = (await statesAt(member)).find(({ role, state }) => role === 'leader' && state === 'running');
      if (found) return members.find(({ name }) => name === found.name);
    }
    return undefined;
  };
  const isHealthy = (states: State[]) => {
    const lead = states.find(({ role }) => role === 'leader');
    const follows = ({ state, timeline }: State) =>
      ['running', 'streaming'].includes(state) && timeline === lead?.timeline;
    return (
      states.length === NAMES.length && states.every(follows) && states.some(({ role }) => role === 'sync_standby')
    );
  };
  const untilHealthy = async () => {
    for (const member of members) {
      const read = async () => ({ of: member.name, states: await statesAt(member) });
      await until(read, ({ states }) => isHealthy(states), HEALTHY_WITHIN).catch(async (error: unknown) => {
        throw new Error((await member.log()).slice(-4_000), { cause: error });
      });
    }
    const found = await leader();
    if (!found) throw new Error('A healthy cluster has no leader.');
    return found;
  };
  const { PATRONI_RESTAPI_USERNAME, PATRONI_RESTAPI_PASSWORD } = await settingsIn('patroni.env');
  const authorization = `Basic ${btoa(`${PATRONI_RESTAPI_USERNAME}:${PATRONI_RESTAPI_PASSWORD}`)}`;
  const hosts = members.map(({ databasePort }) => `127.0.0.1:${databasePort}`).join();
  const urlOf = (role: string) =>
    `postgresql://${role}:${PASSWORD}@${hosts}/booking_live?target_session_attrs=read-write`;
  const cluster: Cluster = {
    url: urlOf('booking'),
    leader,
    untilHealthy,
    kill: async (member) => {
      await member.kill();
      await etcd.kill(members.indexOf(member));
    },
    restart: (member) => {
      etcd.start(members.indexOf(member));
      member.start();
    },
    switchover: async (member) => {
      const body = JSON.stringify({ leader: member.name });
      const reply = await fetch(`${member.rest}/switchover`, { method: 'POST', headers: { authorization }, body });
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
    },
    destroy: async () => {
      await Promise.all(members.map((member) => member.destroy()));
      await etcd.destroy();
      await rm(parent, { recursive: true, force: true });
    },
  };
  try {
    await prepare(await untilHealthy(), urlOf);
    return cluster;
  } catch (error) {
    await cluster.destroy();
    throw error;
  }
}
