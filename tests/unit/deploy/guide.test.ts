import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test.each([
  ['proxy', 'deploy/nginx/booking.conf', 'nginx'],
  ['proxy', 'deploy/caddy/Caddyfile', ''],
  ['monitoring', 'deploy/prometheus/prometheus.yml', 'yaml'],
  ['roles', 'deploy/postgresql/roles.sql', 'sql'],
])('docs/%s.md shows %s and links to it', async (name, path, language) => {
  const [page, file] = await Promise.all([`docs/${name}.md`, path].map((one) => readFile(one, 'utf8')));
  expect(page).toContain(`\`\`\`${language}\n${file}\`\`\``);
  expect(page).toContain(`](../${path})`);
});

test('the proxies of the guide wait longer than the longest request', async () => {
  const page = await readFile('docs/limits.md', 'utf8');
  const [, longest] = /^\| Duration of an import, for which a proxy must wait \| (\d+) seconds \|$/m.exec(page) ?? [];
  const [, timeout] = /proxy_read_timeout (\d+)s;/.exec(await readFile('deploy/nginx/booking.conf', 'utf8')) ?? [];
  expect(Number(timeout)).toBeGreaterThan(Number(longest));
});

test.each(['deploy/caddy/Caddyfile', 'deploy/docker/Caddyfile'])(
  '%s never misses the only healthy instance',
  async (path) => {
    // In Caddy's `round_robin`, all requests share one counter, which selects the next instance to try. While one of
    // two instances is down, another request can advance the counter between two tries of a request. Both tries then
    // select the instance that is down, and the request gets a 503.
    expect([...(await readFile(path, 'utf8')).matchAll(/lb_policy (\S+)/g)].map(([, policy]) => policy)).toEqual([
      'least_conn',
    ]);
  },
);

test.each(['docs/failover.md', 'docs/patroni.md'])('URLs of %s lead to servers with TLS', async (path) => {
  const urls = (await readFile(path, 'utf8')).match(/postgresql:\/\/\S*@10\.0\.0\.\S+/g) ?? [];
  expect(urls).not.toEqual([]);
  for (const url of urls) expect(url).toContain('sslmode=');
});

test('the page about returning to a moment installs the program that its archive_command runs', async () => {
  const page = await readFile('docs/point-in-time.md', 'utf8');
  const [, from = '', to = ''] = /^sudo install --mode=755 (\S+) (\S+)$/m.exec(page) ?? [];
  const [, command = ''] = /archive_command = '([^']*)'/.exec(page) ?? [];
  const [, directory = ''] = /^\s*restore_command = 'cp (\S+)\/%f %p'$/m.exec(page) ?? [];
  expect(command).toBe(`${to} %p %f ${directory}`);
  expect(page).toMatch(new RegExp(`^sudo install --directory .* ${directory} `, 'm'));
  expect(await readFile(from, 'utf8')).toContain(' archive-wal %p %f DIRECTORY\n');
});
