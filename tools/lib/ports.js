import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * @param {number} port
 * @param {string} host
 * @returns {Promise<boolean>}
 */
function canBind(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Both loopback addresses must be free: "localhost" may mean either, and a foreign process on ::1 would get our
 * visitors.
 * @param {number} port
 */
export async function isFree(port) {
  return (await canBind(port, '127.0.0.1')) && (await canBind(port, '::1'));
}

/** @type {Set<number>} */
const given = new Set();

/**
 * A free loopback port, never the same one twice in one process, because the caller binds it a moment later.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = await new Promise((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const taken = /** @type {import('node:net').AddressInfo} */ (server.address()).port;
        server.close(() => resolve(taken));
      });
    });
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

/**
 * The wanted port if it is free, otherwise any free one.
 * @param {number | undefined} wanted
 */
export async function portOr(wanted) {
  return wanted && (await isFree(wanted)) ? wanted : freePort();
}

/**
 * As many ports: each the wanted one if it is free, otherwise any free one.
 * @param {readonly number[] | undefined} wanted
 * @param {number} count
 */
export async function keptPorts(wanted, count) {
  /** @type {number[]} */
  const ports = [];
  for (let index = 0; index < count; index += 1) ports.push(await portOr(wanted?.[index]));
  return ports;
}

/**
 * The wanted port or the next free one above it, and the owner of each port skipped.
 * @param {number} wanted
 */
export async function nextFreePort(wanted) {
  /** @type {{ port: number, owner: string }[]} */
  const passed = [];
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port += 1) {
    if (await isFree(port)) return { port, passed };
    passed.push({ port, owner: portOwner(port) });
  }
  return { port: await freePort(), passed };
}

/**
 * Who listens on a port, in words; "another process" when the system does not say.
 * @param {number} port
 */
export function portOwner(port) {
  try {
    const pid = process.platform === 'linux' ? listenerFromProc(port) : listenerFromLsof(port);
    return pid ? `${commandOf(pid)} (pid ${pid})` : 'another process';
  } catch {
    return 'another process';
  }
}

/** @param {number} port */
function listenerFromProc(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const row of readFileSync(table, 'utf8').split('\n').slice(1)) {
      const fields = row.trim().split(/\s+/);
      if (fields[3] === '0A' && fields[1]?.endsWith(`:${hex}`)) inodes.add(`socket:[${fields[9]}]`);
    }
  }
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        if (inodes.has(readlinkSync(`/proc/${pid}/fd/${fd}`))) return Number(pid);
      }
    } catch {
      // Another user's process, or one that ended meanwhile.
    }
  }
  return undefined;
}

/** @param {number} port */
function listenerFromLsof(port) {
  const found = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { encoding: 'utf8' });
  return Number(found.split('\n')[0]) || undefined;
}

/** @param {number} pid */
function commandOf(pid) {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
