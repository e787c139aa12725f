import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { npmCommand } from '../bootstrap/install.mjs';
import { nativeComponents } from './native';

const TIMEOUT = 60_000;
const MAX_OUTPUT = 64 * 1024 * 1024;

type Component = { 'bom-ref': string; properties?: { name: string; value: string }[] };
type Bom = { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] };

/**
 * Returns the packages that a server uses, from package-lock.json, and the programs and libraries of the embedded
 * PostgreSQL, in the format CycloneDX (SBOM).
 */
export async function listComponents(root: string): Promise<string> {
  const [npm = 'npm', ...before] = npmCommand();
  const options = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const run = { cwd: root, timeout: TIMEOUT, maxBuffer: MAX_OUTPUT };
  const { stdout } = await promisify(execFile)(npm, [...before, ...options], run);
  const { components, dependencies, ...rest } = JSON.parse(stdout) as Bom;
  // With `--omit=dev`, npm would also omit packages that both a server and a development package use.
  const used = components.filter(({ properties = [] }) => !properties.some(({ name }) => name === DEVELOPMENT));
  const refs = new Set(components.filter((one) => !used.includes(one)).map((one) => one['bom-ref']));
  const between = dependencies
    .filter(({ ref }) => !refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => !refs.has(one)) }));
  const all = [...used, ...nativeComponents(root)];
  return `${JSON.stringify({ ...rest, components: all, dependencies: between }, null, 2)}\n`;
}

const DEVELOPMENT = 'cdx:npm:package:development';
