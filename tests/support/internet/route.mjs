// Loaded into a server under test (`node --import`). The partner's public address reaches the receiver on this machine.
// Connections to other machines fail.
import { Socket } from 'node:net';

const PARTNER = '21.21.21.21';
const OURS = new Set([undefined, '', 'localhost', '127.0.0.1', '::1']);

const { connect } = Socket.prototype;

Socket.prototype.connect = function route(...args) {
  // Node's internal callers pass all arguments in one array.
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof options !== 'object' || options === null || options.path || OURS.has(options.host)) {
    return connect.apply(this, args);
  }
  const port = options.host === PARTNER ? Number(process.env.PARTNER_PORT) : 1;
  const routed = { ...options, host: '127.0.0.1', port };
  if (!Array.isArray(args[0])) return connect.call(this, routed, ...args.slice(1));
  // Changes the array itself, because Node has marked it with a symbol that a copy would lack.
  args[0][0] = routed;
  return connect.apply(this, args);
};
