/** `node --import ./tools/lib/run-sources.ts FILE.ts`: runs a program of the project from its sources. */
import { runSources } from './sources.ts';

runSources();
