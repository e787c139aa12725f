// Preloaded into a server under test. Prints at its end how often it wrote to accepted connections. Each write is one
// system call.
import { Socket } from 'node:net';

let writes = 0;
const { _writeGeneric } = Socket.prototype;

Socket.prototype._writeGeneric = function (...args) {
  if (this.server) writes += 1;
  return _writeGeneric.apply(this, args);
};

process.on('exit', () => process.stderr.write(`client writes: ${writes}\n`));
