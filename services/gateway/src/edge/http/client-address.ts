import { ipAddressOf } from '@cds/service';
import type { FastifyRequest } from 'fastify';

/**
 * The address a request comes from, for every use: the nearest hop that is no trusted proxy. Without trusted proxies,
 * and from any other peer, that is the socket's, whatever the headers say. A proxy may report the port with the address;
 * text that is no address at all counts as the proxy itself. Source: reliability I41, S20.
 */
export const clientAddressOf = (request: Pick<FastifyRequest, 'ip' | 'raw'>): string => {
  const reported = request.ip ?? '';
  if (ipAddressOf(reported) !== null) return reported;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(reported)?.[1] ?? /^([\d.]+):\d+$/.exec(reported)?.[1] ?? '';
  return ipAddressOf(bare) === null ? (request.raw.socket.remoteAddress ?? '') : bare;
};

/** What one client counts as: its IPv4 address in any spelling, or the /64 of its IPv6 address. */
export const clientNetworkOf = (address: string): string => {
  const read = ipAddressOf(address);
  if (read === null) return address;
  if ('v4' in read) return read.v4;
  return read.groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
};
