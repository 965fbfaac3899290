import { SERVICES } from '@cds/contracts';
import { type CommandRow, wrongRecords } from '@cds/service/testing';
import type { Databases } from './audit.js';

/** The audit of the answers that all services store: each sentence names what is wrong; none means all is well. */
export const auditCommands = async (databases: Databases): Promise<string[]> =>
  wrongRecords(
    await Promise.all(
      SERVICES.map(async (service) => ({
        service,
        rows: await databases.of(service).collection<CommandRow>('commands').find().toArray(),
      })),
    ),
  );
