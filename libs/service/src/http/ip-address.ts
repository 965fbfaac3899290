import { isIP } from 'node:net';

const groupsOf = (address: string): number[] => {
  const [bare = ''] = address.split('%', 1);
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(bare);
  const plain =
    dotted === null
      ? bare
      : `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`;
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...gap, ...right].map((group) => Number.parseInt(group, 16));
};

/**
 * The two forms of IPv6 that carry one IPv4 address: mapped (RFC 4291) and the well-known prefix of NAT64 (RFC 6052).
 */
const CARRIERS: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

type IpAddress = { v4: string } | { groups: readonly number[] };

/** Parses an IP address in any spelling; null if the text is not one. */
export const ipAddressOf = (text: string): IpAddress | null => {
  const family = isIP(text);
  if (family === 0) return null;
  if (family === 4) return { v4: text };
  const groups = groupsOf(text);
  if (!CARRIERS.some((prefix) => prefix.every((group, at) => groups[at] === group))) return { groups };
  const [high = 0, low = 0] = groups.slice(6);
  return { v4: `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}` };
};
