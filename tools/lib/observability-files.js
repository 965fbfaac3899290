import { boards } from '../observability/boards.js';
import { boardJson } from '../observability/grafana.js';
import { metricPage } from '../observability/metric-page.js';
import { alertRules } from '../observability/rules.js';
import { loadContracts } from './service-environment.js';

/**
 * Every file that is made from the declared metrics, by its path. The declarations are readable only after the build.
 * @returns {Promise<Record<string, string>>}
 */
export async function observabilityFiles() {
  const { METRICS, AREAS } = await import('../../libs/service/dist/telemetry/declared-metrics.js');
  const { ALARMS } = await import('../../libs/service/dist/logs/alarm-names.js');
  const { ERROR_CODES } = await import('@cds/contracts');
  const contracts = await loadContracts();
  const failures = Object.entries(ERROR_CODES).flatMap(([code, { status }]) => (status >= 500 ? code : []));
  const processes = [...contracts.services, contracts.busAdmin];
  const dashboards = Object.entries(boards(failures)).map(([name, board]) => [
    `deploy/observability/grafana/${name}.json`,
    boardJson(board),
  ]);
  return {
    'deploy/observability/alerts.yaml': alertRules({ processes, alarms: ALARMS, failures }),
    'docs/metrics.md': metricPage(METRICS, AREAS, contracts),
    ...Object.fromEntries(dashboards),
  };
}
