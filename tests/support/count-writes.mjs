// Preloaded into a server under test. Counts the writes to accepted connections, and prints the count when the process
// ends. Each write is one system call (`write` or `writev`).
import { Socket } from 'node:net';

let writes = 0;
const { _writeGeneric } = Socket.prototype;

Socket.prototype._writeGeneric = function (...args) {
  if (this.server) writes += 1;
  return _writeGeneric.apply(this, args);
};

process.on('exit', () => process.stderr.write(`client writes: ${writes}\n`));
