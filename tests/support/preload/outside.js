/**
 * Loaded into a service before it starts: one public name, and no other, leads to a test's own server on loopback. The
 * service resolves, checks, connects and speaks TLS as it does elsewhere. `CDS_TEST_OUTSIDE` is `name:port`.
 */
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const PUBLIC_ADDRESS = '93.184.215.14';
const [name, port] = (process.env.CDS_TEST_OUTSIDE ?? '').split(':');

const { resolve4 } = dns.Resolver.prototype;
dns.Resolver.prototype.resolve4 = async function (host, ...options) {
  return host === name ? [PUBLIC_ADDRESS] : resolve4.call(this, host, ...options);
};

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  if (options?.host === name && Number(options.port) === 443)
    Object.assign(options, { host: '127.0.0.1', port: Number(port), lookup: undefined });
  return connect.apply(this, args);
};
syncBuiltinESMExports();
