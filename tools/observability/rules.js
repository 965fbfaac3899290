/** deploy/observability/alerts.yaml: recording rules of the objectives, and every alert. */
import { stringify } from 'yaml';
import { alarmAlerts, causes } from './alerts.js';
import { burnAlerts, objectives, recordings } from './slos.js';

/** @typedef {import('./alerts.js').Alert} Alert */

/** The section of an alert in the runbooks. @param {string} alert */
export const runbookOf = (alert) => `docs/runbooks.md#${alert.toLowerCase()}`;

/** @param {Alert} alert */
const rule = ({ alert, expr, for: lasts, severity, summary }) => ({
  alert,
  expr,
  ...(lasts && { for: lasts }),
  labels: { severity },
  annotations: { summary, runbook: runbookOf(alert) },
});

/**
 * The rules as YAML.
 * @param {{ processes: readonly string[], alarms: readonly string[], failures: readonly string[] }} of
 */
export function alertRules({ processes, alarms, failures }) {
  const slos = objectives(failures);
  const groups = [
    { name: 'objectives', interval: '30s', rules: recordings(slos) },
    { name: 'budgets', rules: burnAlerts(slos).map(rule) },
    ...Object.entries(causes(processes)).map(([name, alerts]) => ({ name, rules: alerts.map(rule) })),
    { name: 'alarms', rules: alarmAlerts(alarms).map(rule) },
  ];
  return `# Made by \`npm run generate\` from tools/observability.\n${stringify({ groups }, { lineWidth: 0 })}`;
}
