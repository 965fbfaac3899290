import { ipAddressOf } from '@cds/service';
import type { FastifyRequest } from 'fastify';

/**
 * The nearest hop that is no trusted proxy; text that is not an address counts as the proxy itself
 * (docs/reliability.md#threats).
 */
export const clientAddressOf = (request: Pick<FastifyRequest, 'ip' | 'raw'>): string => {
  const reported = request.ip ?? '';
  if (ipAddressOf(reported) !== null) return reported;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(reported)?.[1] ?? /^([\d.]+):\d+$/.exec(reported)?.[1] ?? '';
  return ipAddressOf(bare) === null ? (request.raw.socket.remoteAddress ?? '') : bare;
};

/** The unit that rate limits count: an IPv4 address in any spelling, or the /64 of an IPv6 address. */
export const rateLimitAddressOf = (address: string): string => {
  const read = ipAddressOf(address);
  if (read === null) return address;
  if ('v4' in read) return read.v4;
  return read.groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
};
