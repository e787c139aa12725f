// Loaded into the measured server by `--import`. Collects all garbage when the process receives SIGCONT.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');
process.on('SIGCONT', () => collect());
