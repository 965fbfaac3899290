import type { Shell } from '@cds/service';
import type { GatewayConfig } from '../config.js';
import { auditTrailsOf } from './audit/trails.js';
import { Dependencies } from './dependencies.js';
import { eventAdminsOf } from './event-admins.js';
import { Installation } from './installation.js';
import { Feedback } from './store/feedback.js';
import { SwitchBoard } from './store/switches.js';
import { Tasks } from './store/tasks.js';

export { onTaskOpened } from './task-opened.js';

export const operatingOf = (shell: Shell<'gateway'>, config: GatewayConfig) => {
  const { store, calls } = shell;
  return {
    switches: new SwitchBoard(store),
    tasks: new Tasks(store),
    feedback: new Feedback(store),
    dependencies: new Dependencies({ bus: shell.bus, now: () => store.now(), busUp: () => shell.connection.up }),
    installation: new Installation({
      command: (command) => store.db.command(command),
      clockOffsetMs: () => store.clockOffsetMs(),
      bus: () => (shell.connection.up ? shell.connection.nats.info : undefined),
      keys: {
        CDS_KEY_PEPPERS: config.CDS_KEY_PEPPERS,
        CDS_SEAL_KEYS: config.CDS_SEAL_KEYS,
        CDS_OPS_TOKEN: config.CDS_OPS_TOKEN,
      },
      mail: {
        development: shell.config.env !== 'production',
        server: config.CDS_SMTP_URL !== '',
        relay: config.CDS_MAIL_RELAY_TOKEN !== '',
      },
    }),
    eventAdmins: eventAdminsOf(shell.events, calls),
    auditTrails: auditTrailsOf(shell.trail, calls),
    auditKey: shell.config.audit.key,
    jobs: shell.jobs,
    jobReports: calls,
  };
};
