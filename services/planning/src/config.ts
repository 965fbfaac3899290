import { readEnvironment } from '@cds/service';
import { z } from 'zod';

/** Reads planning's environment once; it has no settings of its own. */
export const readConfig = () => readEnvironment('planning', z.object({}), process.env);
