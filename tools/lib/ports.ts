import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';

function canBind(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Both loopback addresses: a foreign process on ::1 would get visitors of "localhost". */
export async function isFree(port: number) {
  return (await canBind(port, '127.0.0.1')) && (await canBind(port, '::1'));
}

const given: Set<number> = new Set();

/** A free loopback port, never the same one twice in one process, because the caller binds it a moment later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer();
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => {
        const taken = (server.address() as AddressInfo).port;
        server.close(() => resolve(taken));
      });
    });
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

export async function portOr(wanted: number | undefined) {
  return wanted && (await isFree(wanted)) ? wanted : freePort();
}

/** As many ports: each the wanted one if it is free, otherwise any free one. */
export async function keptPorts(wanted: readonly number[] | undefined, count: number) {
  const ports: number[] = [];
  for (let index = 0; index < count; index += 1) ports.push(await portOr(wanted?.[index]));
  return ports;
}

/** The wanted port or the next free one above it, and the owner of each port skipped. */
export async function nextFreePort(wanted: number) {
  const passed: { port: number; owner: string }[] = [];
  for (let port = wanted; port < Math.min(wanted + 200, 65_536); port += 1) {
    if (await isFree(port)) return { port, passed };
    passed.push({ port, owner: portOwner(port) });
  }
  return { port: await freePort(), passed };
}

/** Who listens on a port, in words; "another process" when the system does not say. */
export function portOwner(port: number) {
  try {
    const pid = process.platform === 'linux' ? listenerFromProc(port) : listenerFromLsof(port);
    return pid ? `${commandOf(pid)} (pid ${pid})` : 'another process';
  } catch {
    return 'another process';
  }
}

function listenerFromProc(port: number) {
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

function listenerFromLsof(port: number) {
  const found = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { encoding: 'utf8' });
  return Number(found.split('\n')[0]) || undefined;
}

function commandOf(pid: number) {
  if (process.platform === 'linux') return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
}
