// Installs all packages, for a layer of the image that does not depend on the code (deploy/docker/Dockerfile).
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install } from './install.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

const problem = await install(ROOT, (line) => console.log(line), true);
if (problem) {
  console.error(problem);
  process.exitCode = 1;
}
