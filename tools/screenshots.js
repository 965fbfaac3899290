#!/usr/bin/env node
/**
 * `npm run screenshots [-- FOLDER]`: a picture of every page on a phone and a desktop, light and dark. The suites in
 * `tests/browser` open these pages anyway; here they also save what they see.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { REPOSITORY } from './lib/home.js';

const [asked] = process.argv.slice(2);
const folder = asked === undefined ? mkdtempSync(join(tmpdir(), 'cds-screenshots-')) : resolve(asked);

const child = spawn(process.execPath, [join(REPOSITORY, 'tools', 'test.js'), 'tests/browser'], {
  cwd: REPOSITORY,
  stdio: 'inherit',
  env: { ...process.env, CDS_SCREENSHOTS: folder },
});
child.once('close', (code) => {
  console.log(`Pictures: ${folder}`);
  process.exit(code ?? 1);
});
