import { readEnvironment } from '@cds/service';
import { z } from 'zod';

/** The environment of this service: it has no setting of its own. */
export const readConfig = () => readEnvironment('metrics', z.object({}), process.env);
