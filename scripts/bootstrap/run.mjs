import { spawn } from 'node:child_process';

const KEPT_CHARACTERS = 20_000;

/**
 * Runs a program and keeps the end of its output for error messages. SIGINT and SIGTERM stop the program and then this
 * process.
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, output: string }>} the exit code (null if a signal ended the program) and
 *   the end of the output
 */
export function runQuietly(file, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-KEPT_CHARACTERS);
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
      child.once('close', () => process.exit(signal === 'SIGINT' ? 130 : 143));
    };
    const done = () => process.off('SIGINT', stop).off('SIGTERM', stop);
    process.on('SIGINT', stop).on('SIGTERM', stop);
    child.on('error', (error) => {
      done();
      reject(error);
    });
    child.on('close', (code) => {
      done();
      resolve({ code, output });
    });
  });
}
