import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port';
import { hasProgram } from './programs';
import { until } from './until';

/** npm does not install these programs. */
const PROGRAMS = { nginx: process.env.NGINX || 'nginx', caddy: process.env.CADDY || 'caddy' } as const;
const { nginx: NGINX, caddy: CADDY } = PROGRAMS;

/** Whether `startProxy` can start it. If not, records `tests` tests of `what`. */
export function hasProxy(name: keyof typeof PROGRAMS, tests: number, what: string): boolean {
  const probe = name === 'nginx' ? ['-v'] : ['version'];
  return (
    hasProgram(PROGRAMS[name], tests, what, probe) && hasProgram('openssl', tests, `${what} (${name})`, ['version'])
  );
}

/** The status, or 0 if there is no response. */
type Proxy = {
  port: number;
  get: (path: string, headers?: Record<string, string>) => Promise<number>;
  stop: () => Promise<void>;
};

type Recipe = {
  write: (directory: string, port: number, upstream: string) => Promise<void>;
  command: (directory: string) => string[];
};

/** It is newer than the Caddy of Debian 12. */
async function knowsRequestBuffers(): Promise<boolean> {
  const { stdout } = await promisify(execFile)(CADDY, ['version']);
  const [major = 0, minor = 0, patch = 0] = stdout
    .replace(/^v/, '')
    .split(/[.\s-]/)
    .map(Number);
  return major > 2 || minor > 6 || (minor === 6 && patch >= 3);
}

const upstreams = (text: string, upstream: string) => text.replaceAll(/127\.0\.0\.1:300[12]/g, upstream);

export const RECIPES: Record<'nginx' | 'caddy', Recipe> = {
  nginx: {
    write: async (directory, port, upstream) => {
      const file = upstreams(await readFile('deploy/nginx/booking.conf', 'utf8'), upstream)
        .replace('\tlisten [::]:443 ssl;\n', '')
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('/etc/ssl', directory);
      await writeFile(join(directory, 'booking.conf'), file);
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${directory}/${one};`,
      );
      await writeFile(
        join(directory, 'nginx.conf'),
        // The workers of a master that runs as root could not write to the directory.
        `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; pid ${directory}/pid; error_log stderr; events {}
         http { access_log off; ${paths.join(' ')} include ${directory}/booking.conf; }\n`,
      );
    },
    command: (directory) => [NGINX, '-e', 'stderr', '-c', join(directory, 'nginx.conf')],
  },
  caddy: {
    write: async (directory, port, upstream) => {
      const file = upstreams(await readFile('deploy/caddy/Caddyfile', 'utf8'), upstream).replace(
        /^booking\.example \{/m,
        `booking.example {\n\ttls ${directory}/booking.crt ${directory}/booking.key`,
      );
      const known = await knowsRequestBuffers();
      const buffered = known ? file : file.replace('request_buffers', 'buffer_requests\n\t\tmax_buffer_size');
      const ports = `\thttps_port ${port}\n\thttp_port ${await freePort()}\n`;
      await writeFile(
        join(directory, 'Caddyfile'),
        buffered.replace(/^\{\n/, () => `{\n\tadmin off\n\tauto_https off\n${ports}`),
      );
    },
    command: (directory) => [CADDY, 'run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')],
  },
};

/** With `seconds` instead of the timeouts for heads and bodies. @throws Error if the file does not have both */
export function hurriedRecipe(name: keyof typeof RECIPES, seconds: number): Recipe {
  const { write, command } = RECIPES[name];
  return {
    command,
    write: async (directory, port, upstream) => {
      await write(directory, port, upstream);
      const path = join(directory, name === 'nginx' ? 'booking.conf' : 'Caddyfile');
      const text = await readFile(path, 'utf8');
      const timeouts = [...text.matchAll(/^\s*(?:client|read)_(header|body)(?:_timeout)? \d+s;?$/gm)];
      if (timeouts.map(([, part]) => part).join() !== 'header,body') throw new Error(`${path} lacks a timeout.`);
      const hurried = timeouts.reduce((left, [line]) => left.replace(line, line.replace(/\d+/, `${seconds}`)), text);
      await writeFile(path, hurried);
    },
  };
}

/** In front of two servers on this machine, as docs/deployment.md describes. */
export function nginxRecipe([one, two]: number[]): Recipe {
  return {
    command: RECIPES.nginx.command,
    write: async (directory, port) => {
      await RECIPES.nginx.write(directory, port, 'upstream-server');
      const path = join(directory, 'booking.conf');
      const text = await readFile(path, 'utf8');
      const addressed = text
        .replace('upstream-server', `127.0.0.1:${one}`)
        .replace('upstream-server', `127.0.0.1:${two}`);
      await writeFile(path, addressed);
    },
  };
}

/** One of two cells, as docs/cells.md describes. */
export function cellRecipe(home: string, other: string): Recipe {
  return {
    command: RECIPES.nginx.command,
    write: async (directory, port, upstream) => {
      await RECIPES.nginx.write(directory, port, upstream);
      const path = join(directory, 'booking.conf');
      const [cells, server] = await Promise.all(['deploy/nginx/cells.conf', path].map((one) => readFile(one, 'utf8')));
      const addressed = cells?.replaceAll(/10\.1\.0\.[12]:3001/g, home).replaceAll(/10\.2\.0\.[12]:3001/g, other);
      const routed = server
        ?.replace(/upstream booking \{[^}]*\}/, '')
        .replaceAll('http://booking;', 'http://$booking_cell;');
      await writeFile(path, `${addressed}${routed}`);
    },
  };
}

/**
 * With the configuration of `deploy`, in front of `upstream`, such as 127.0.0.1:3000.
 * @throws Error if the program is not installed
 */
export async function startProxy({ write, command }: Recipe, upstream: string): Promise<Proxy> {
  const directory = await mkdtemp(join(tmpdir(), 'proxy-'));
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const files = ['-keyout', join(directory, 'booking.key'), '-out', join(directory, 'booking.crt')];
  const names = ['-subj', '/CN=booking.example', '-addext', 'subjectAltName=DNS:booking.example'];
  await promisify(execFile)('openssl', ['req', '-x509', ...options, ...names, ...files]);
  const port = await freePort();
  await write(directory, port, upstream);
  const [program = '', ...args] = command(directory);
  const child = spawn(program, args, { env: { ...process.env, HOME: directory }, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-20_000);
  });
  child.on('error', (error) => {
    output += `${program} cannot be run (${error.message}). Install it, or set NGINX or CADDY to its path.`;
  });
  const ended = once(child, 'close').catch(() => null);
  const get = (path: string, headers: Record<string, string> = {}) => send(port, path, headers);
  await until(
    async () => (await get('/')) > 0 || hasEnded(child),
    (ready) => ready,
  );
  if (hasEnded(child)) throw new Error(`The proxy did not start: ${output}`);
  return {
    port,
    get,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null || !child.pid;

function send(port: number, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path, servername: 'booking.example', rejectUnauthorized: false };
    const sent = request({ ...options, headers: { host: 'booking.example', ...headers } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.setTimeout(5_000, () => sent.destroy());
    sent.on('error', () => resolve(0));
    sent.end();
  });
}
