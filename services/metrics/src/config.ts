import { readEnvironment } from '@cds/service';
import { z } from 'zod';

/** Reads the environment; metrics has no settings of its own. */
export const readConfig = () => readEnvironment('metrics', z.object({}), process.env);
