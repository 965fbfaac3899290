import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { AppError, type ErrorBody, type UploadRef } from '@cds/contracts';
import type { BaseShell } from '@cds/service';
import type { FileImports } from './file-imports.js';
import type { ImportWanted, Progress } from './import-batches.js';
import type { ImportReport } from './importer.js';

export const IMPORTS_ARGUMENT = 'imports';

/**
 * V8 by itself collects late: after 10 MiB a process holds 400 MiB, with these settings 235
 * (tests/system/memory.test.ts).
 */
const HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=20'];

const IDLE_MS = 60_000;

export type Asked = { import: string; file: Pick<UploadRef, 'id' | 'type'>; wanted: ImportWanted };
export type Notice = { import: string } & (
  | { so_far: ImportReport }
  | { done: ImportReport }
  | { refused: ErrorBody }
  | { failed: { message: string; stack: string | undefined } }
);

/** `stored` ends once all progress so far is stored. */
type Waiting = {
  progress: Progress;
  stored: Promise<void>;
  resolve: (report: ImportReport) => void;
  reject: (error: Error) => void;
};

export class ImportProcess implements FileImports {
  private child: ChildProcess | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly running = new Map<string, Waiting>();

  constructor(
    private readonly log: Pick<BaseShell['log'], 'info' | 'error'>,
    private readonly program: string = process.argv[1] ?? '',
  ) {}

  run(file: Pick<UploadRef, 'id' | 'type'>, wanted: ImportWanted, progress: Progress): Promise<ImportReport> {
    const id = randomUUID();
    return new Promise<ImportReport>((resolve, reject) => {
      this.running.set(id, { progress, stored: Promise.resolve(), resolve, reject });
      const asked: Asked = { import: id, file: { id: file.id, type: file.type }, wanted };
      this.started().send(asked, (error) => {
        if (error !== null) this.end(id, ({ reject: failed }) => failed(error));
      });
    });
  }

  close(): void {
    clearTimeout(this.idle);
    this.child?.kill();
  }

  private started(): ChildProcess {
    clearTimeout(this.idle);
    if (this.child !== null) return this.child;
    const child = fork(this.program, [IMPORTS_ARGUMENT], { execArgv: HEAP, serialization: 'advanced' });
    this.child = child;
    this.log.info({ child: child.pid }, 'a process for imports was started');
    child.on('message', (notice: Notice) => this.hear(notice));
    child.on('error', (err) => {
      this.log.error({ err }, 'the process for imports has an error');
      // One that could not be started does not exit.
      if (child.pid === undefined) this.lose(child, err);
    });
    child.on('exit', (code, signal) =>
      this.lose(child, new Error(`the process for imports ended by ${signal ?? `code ${code}`}`)),
    );
    return child;
  }

  private lose(child: ChildProcess, error: Error): void {
    if (this.child !== child) return;
    this.child = null;
    for (const id of this.running.keys()) this.end(id, ({ reject }) => reject(error));
  }

  private hear(notice: Notice): void {
    const { import: id } = notice;
    if ('so_far' in notice) {
      const waiting = this.running.get(id);
      if (waiting === undefined) return;
      waiting.stored = waiting.stored
        .then(() => waiting.progress(notice.so_far))
        .catch((err: unknown) => this.log.error({ err }, 'the progress of an import could not be stored'));
    } else if ('done' in notice) this.end(id, ({ resolve }) => resolve(notice.done));
    else if ('refused' in notice) {
      const { code, message, details } = notice.refused;
      this.end(id, ({ reject }) => reject(new AppError(code, message, details)));
    } else this.end(id, ({ reject }) => reject(Object.assign(new Error(notice.failed.message), notice.failed)));
  }

  private end(id: string, tell: (waiting: Waiting) => void): void {
    const waiting = this.running.get(id);
    if (waiting === undefined) return;
    this.running.delete(id);
    // Progress that is stored after the end would undo it.
    void waiting.stored.then(() => tell(waiting));
    if (this.running.size > 0) return;
    this.idle = setTimeout(() => {
      const { child } = this;
      this.child = null;
      child?.disconnect();
    }, IDLE_MS);
    this.idle.unref();
  }
}
