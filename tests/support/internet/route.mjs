// Loaded into a server under test (`node --import`): the rest of the world. What it sends to the partner's public address
// arrives at the receiver on this machine; every other address that is not this machine is out of reach.
import { Socket } from 'node:net';

const PARTNER = '21.21.21.21';
const OURS = new Set([undefined, '', 'localhost', '127.0.0.1', '::1']);

const { connect } = Socket.prototype;

Socket.prototype.connect = function route(...args) {
  // Node passes its own calls on as one list of arguments.
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof options !== 'object' || options === null || options.path || OURS.has(options.host)) {
    return connect.apply(this, args);
  }
  const port = options.host === PARTNER ? Number(process.env.PARTNER_PORT) : 1;
  const routed = { ...options, host: '127.0.0.1', port };
  if (!Array.isArray(args[0])) return connect.call(this, routed, ...args.slice(1));
  // Node knows a list that it has made by a mark of its own: it is changed in place.
  args[0][0] = routed;
  return connect.apply(this, args);
};
