// A preload for a server under test. It counts the writes to connections that the server has accepted, each of which is
// one system call (`write` or `writev`), and prints the count when the process ends.
import { Socket } from 'node:net';

let writes = 0;
const { _writeGeneric } = Socket.prototype;

Socket.prototype._writeGeneric = function (...args) {
  if (this.server) writes += 1;
  return _writeGeneric.apply(this, args);
};

process.on('exit', () => process.stderr.write(`client writes: ${writes}\n`));
