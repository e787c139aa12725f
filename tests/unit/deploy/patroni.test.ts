import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

const read = (name: string) => readFileSync(`deploy/patroni/${name}`, 'utf8');
const page = readFileSync('docs/patroni.md', 'utf8');
const file = parse(read('patroni.yml'));

/** Returns the settings in a text with lines such as `NAME=value`. Every other line is a comment. */
function settingsOf(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const pairs = lines.map((line) => /^([A-Z0-9_]+)=(\S+)$/.exec(line)?.slice(1));
  expect(pairs, 'lines without a setting').not.toContain(undefined);
  return new Map(pairs as [string, string][]);
}

/** Returns what the documented `sed` makes of a file for the member `two`. */
function forTwo(name: string): Map<string, string> {
  const [command] = new RegExp(`sed "[^"]*" deploy/patroni/${name}`).exec(page) ?? [''];
  return settingsOf(execFileSync('sh', ['-c', `NAME=two ADDRESS=10.0.0.12; ${command}`], { encoding: 'utf8' }));
}

test('a leader without etcd demotes itself before another member is promoted', () => {
  const { ttl, loop_wait, retry_timeout } = file.bootstrap.dcs;
  expect(ttl).toBeGreaterThanOrEqual(loop_wait + 2 * retry_timeout);
});

test('no commit is acknowledged before a standby has it, even without a standby', () => {
  const { synchronous_mode, synchronous_mode_strict, synchronous_node_count, postgresql } = file.bootstrap.dcs;
  expect([synchronous_mode, synchronous_mode_strict, synchronous_node_count]).toEqual([true, true, 1]);
  expect(postgresql.parameters).toMatchObject({ synchronous_commit: 'on' });
  for (const parameters of [postgresql.parameters, file.postgresql.parameters])
    expect(Object.keys(parameters)).not.toContain('fsync');
});

test('other machines connect only with TLS and a password, and never as the superuser', () => {
  const remote = file.postgresql.pg_hba.filter((line: string) => !line.startsWith('local '));
  for (const line of remote) expect(line).toMatch(/^hostssl \S+ \S+ 10\.0\.0\.0\/24 scram-sha-256$/);
  const { PATRONI_SUPERUSER_USERNAME: superuser, ...roles } = Object.fromEntries(settingsOf(read('patroni.env')));
  expect(remote.map((line: string) => line.split(' ')[2])).toEqual([
    'booking,booking_owner',
    roles.PATRONI_REPLICATION_USERNAME,
    roles.PATRONI_REWIND_USERNAME,
  ]);
  expect(file.postgresql.pg_hba[0]).toBe(`local all ${superuser} peer`);
});

test.each([
  ['etcd.env', 'ETCD_NAME', 'ETCD_INITIAL_CLUSTER'],
  ['patroni.env', 'PATRONI_NAME', 'PATRONI_ETCD3_HOSTS'],
])('the command of the page makes %s of another member', (name, own, list) => {
  const [shipped, changed] = [settingsOf(read(name)), forTwo(name)];
  expect([changed.get(own), changed.get(list)]).toEqual(['two', shipped.get(list)]);
  for (const [key, value] of shipped)
    if (key !== own && key !== list) expect(changed.get(key), key).toBe(value.replaceAll('10.0.0.11', '10.0.0.12'));
});

test('the command of the page replaces every example password', () => {
  const passwords = [...settingsOf(read('patroni.env'))].filter(([name]) => name.endsWith('_PASSWORD'));
  const [, numbers = ''] = /for n in ([\d ]+);/.exec(page) ?? [];
  expect(passwords.map(([, value]) => value)).toEqual(numbers.split(' ').map((number) => `change-me-${number}`));
});

test('the unit restarts Patroni and gives it the watchdog', () => {
  const lines = read('patroni.conf').split('\n');
  expect(lines.filter((line) => line.startsWith('['))).toEqual(['[Unit]', '[Service]']);
  expect(lines).toContain('Restart=always');
  expect(lines).toContain(`ExecStartPre=+-/bin/chown postgres /dev/watchdog`);
  expect(file.watchdog.mode).toBe('automatic');
});

test('the page gives every file its place', () => {
  for (const [name, place] of [
    ['etcd.env', '/etc/default/etcd'],
    ['patroni.env', '/etc/patroni_env.conf'],
    ['patroni.yml', '/etc/patroni/config.yml'],
    ['patroni.conf', '/etc/systemd/system/patroni.service.d/booking.conf'],
  ] as const) {
    expect(read(name).split('\n')[0], name).toContain(place);
    expect(page, name).toMatch(new RegExp(`deploy/patroni/${name}.* ${place}$`, 'm'));
  }
});
