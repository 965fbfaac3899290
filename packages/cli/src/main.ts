#!/usr/bin/env node
import { run } from './run.js';
import { realWorld } from './world.js';

process.exitCode = await run(process.argv.slice(2), realWorld());
