import { readEnvironment } from '@cds/service';
import { z } from 'zod';

/** Reads the environment; proposals has no settings of its own. */
export const readConfig = () => readEnvironment('proposals', z.object({}), process.env);
