import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from '@jest/globals';

/** The Python that has the official MCP client, which `npm test` installs. */
const PYTHON = process.env['CDS_TEST_PYTHON_MCP'] ?? '';

/** A test of that client; skipped where there is none. */
export const testInPython: Pick<typeof test, 'each'> = PYTHON === '' ? test.skip : test;

const SCRIPT = join(import.meta.dirname, 'python-client.py');

export type PythonRun = {
  url: string;
  name: string;
  /** Which protocol it speaks: what discovery finds, or the older one with its handshake. */
  mode: 'auto' | 'legacy';
  /** The campaign whose plan it signs; null for a client that only reads. */
  campaign: Record<string, unknown> | null;
  /** Begins its Idempotency-Keys. */
  key: string;
};

export type PythonGot = {
  revision: string;
  tools: number;
  channels: string[];
  payment_url: string | null;
  token: string;
};

/** Has the client sign in, by a person who gets the page's address, and call tools. Raises what it said if it fails. */
export const runPythonClient = async (run: PythonRun, person: (url: string) => Promise<void>): Promise<PythonGot> => {
  const child = spawn(PYTHON, [SCRIPT, JSON.stringify(run)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const said = JSON.parse(line) as { open: string } | PythonGot;
      if ('open' in said) await person(said.open);
      else return said;
    }
    throw new Error(`the client ended before it was done:\n${errors}`);
  } finally {
    child.kill();
  }
};
