import { connect, type Socket } from 'node:net';

export type SliceResult = { requests: number; seconds: number; latencies: Float64Array; statuses: Map<number, number> };

export type NextRequest = () => Buffer;

export const requestBytes = (method: string, path: string, headers: Record<string, string>, body = ''): Buffer => {
  const lines = Object.entries({ connection: 'keep-alive', ...headers }).map(([name, value]) => `${name}: ${value}`);
  if (body !== '') lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
};

/**
 * A closed loop of `connections` sockets against one port for a limited time. Each socket sends a request, reads the
 * response by its content-length and sends the next. Hand-written because a general client would use more CPU than what
 * it measures.
 */
export class HttpLoad {
  private sockets: Socket[] = [];

  constructor(
    private readonly port: number,
    private readonly connections: number,
  ) {}

  async open(): Promise<void> {
    this.sockets = await Promise.all(
      Array.from(
        { length: this.connections },
        () =>
          new Promise<Socket>((resolve, reject) => {
            const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
            socket.once('error', reject);
          }),
      ),
    );
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Runs for `seconds`, then lets every socket finish its current request. */
  async slice(seconds: number, next: NextRequest): Promise<SliceResult> {
    const latencies: number[] = [];
    const statuses = new Map<number, number>();
    const started = performance.now();
    const end = started + seconds * 1000;
    await Promise.all(this.sockets.map((socket) => this.drive(socket, end, next, latencies, statuses)));
    return {
      requests: latencies.length,
      seconds: (performance.now() - started) / 1000,
      latencies: Float64Array.from(latencies).sort(),
      statuses,
    };
  }

  private drive(
    socket: Socket,
    end: number,
    next: NextRequest,
    latencies: number[],
    statuses: Map<number, number>,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let sentAt = 0;
      let head = '';
      let missing = -1;
      const send = () => {
        if (performance.now() >= end) {
          socket.off('data', read);
          socket.off('close', closed);
          resolve();
          return;
        }
        head = '';
        missing = -1;
        sentAt = performance.now();
        socket.write(next());
      };
      const closed = () => reject(new Error('the server closed a connection under load'));
      const read = (data: Buffer) => {
        if (missing >= 0) {
          missing -= data.length;
        } else {
          head += data.toString('latin1');
          const body = head.indexOf('\r\n\r\n');
          if (body < 0) return;
          const length = /\r\ncontent-length: (\d+)/i.exec(head);
          missing = Number(length?.[1] ?? 0) - (head.length - body - 4);
          const status = Number(head.slice(9, 12));
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
        if (missing > 0) return;
        latencies.push(performance.now() - sentAt);
        send();
      };
      socket.on('data', read);
      socket.once('close', closed);
      send();
    });
  }
}
