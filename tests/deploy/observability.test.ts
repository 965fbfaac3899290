import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ERROR_CODES, hasEndpoint, operations, pathOf } from '@cds/contracts';
import { ALARMS, METRICS } from '@cds/service';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { REPOSITORY } from '../../tools/lib/home.js';
import { type AlertCase, CASES } from './alert-cases.js';
import { readCompose } from './compose.js';
import { toolAt } from './manifests.js';
import { OPS_PORT, PROCESSES } from './processes.js';
import { problemsOf } from './promql.js';

type Rule = {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels: Record<string, string>;
  annotations?: { summary: string; runbook: string };
};
type Target = { expr: string; legendFormat: string };
type Panel = {
  title: string;
  type: string;
  targets?: Target[];
  gridPos: { x: number; y: number; w: number; h: number };
};
type Board = { uid: string; panels: Panel[] };

const FOLDER = 'deploy/observability';
const read = (...path: string[]): string => readFileSync(join(REPOSITORY, ...path), 'utf8');

const rules = (parse(read(FOLDER, 'alerts.yaml')) as { groups: { rules: Rule[] }[] }).groups.flatMap(
  (one) => one.rules,
);
const alerts = rules.filter((one): one is Rule & { alert: string } => one.alert !== undefined);
const boards = readdirSync(join(REPOSITORY, FOLDER, 'grafana')).map((name): [string, Board] => [
  name,
  JSON.parse(read(FOLDER, 'grafana', name)) as Board,
]);

const promtool = toolAt('promtool');

describe('the dashboards', () => {
  it.each(boards)('%s names declared metrics, labels and values only', (_name, { panels }) => {
    const problems = panels.flatMap(({ title, targets = [] }) =>
      targets.flatMap(({ expr, legendFormat }) => problemsOf(expr, legendFormat).map((one) => `${title}: ${one}`)),
    );
    expect(problems).toEqual([]);
  });

  it('show every declared metric', () => {
    const all = boards.flatMap(([, { panels }]) =>
      panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    );
    const text = all.join('\n');
    expect(Object.keys(METRICS).filter((name) => !text.includes(name))).toEqual([]);
  });

  it('put no panel over another, and none beyond the grid', () => {
    for (const [name, { panels }] of boards) {
      const taken = new Map<string, string>();
      for (const { title, gridPos: at } of panels) {
        expect(at.x + at.w).toBeLessThanOrEqual(24);
        for (let x = at.x; x < at.x + at.w; x += 1)
          for (let y = at.y; y < at.y + at.h; y += 1) {
            expect({ name, title, over: taken.get(`${x} ${y}`) }).toEqual({ name, title, over: undefined });
            taken.set(`${x} ${y}`, title);
          }
      }
    }
  });

  it('are mounted with the alert rules where docker compose runs Grafana and Prometheus', () => {
    const { grafana, prometheus } = readCompose().services;
    const provider = parse(read('deploy/compose/grafana-dashboards.yml')) as {
      providers: { options: { path: string } }[];
    };
    const path = provider.providers[0]?.options.path ?? '';
    expect(grafana?.volumes).toContain(`./${FOLDER}/grafana:${path}:ro`);
    const config = parse(read('deploy/compose/prometheus.yml')) as {
      rule_files: string[];
      scrape_configs: { static_configs: { targets: string[] }[] }[];
    };
    expect(prometheus?.volumes).toContain(`./${FOLDER}/alerts.yaml:${config.rule_files[0]}:ro`);
    const targets = config.scrape_configs.flatMap((one) => one.static_configs.flatMap((of) => of.targets));
    expect(new Set(targets)).toEqual(new Set(PROCESSES.map((name) => `${name}:${OPS_PORT}`)));
  });
});

describe('the alerts', () => {
  it('name declared metrics, labels and values only', () => {
    expect(
      rules.flatMap(({ alert, record, expr }) => problemsOf(expr).map((one) => `${alert ?? record}: ${one}`)),
    ).toEqual([]);
  });

  it('have one for each alarm of the log, and no two of a name', () => {
    const named = alerts.flatMap(({ expr }) => /^sum.*cds_alarms_total\{alarm="(\w+)"\}/.exec(expr)?.[1] ?? []);
    expect(named).toEqual([...ALARMS]);
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('miss each process', () => {
    const { expr = '' } = alerts.find(({ alert }) => alert === 'ProcessMissing') ?? {};
    expect(new Set([...expr.matchAll(/service="([\w-]+)"/g)].map(([, name]) => name))).toEqual(new Set(PROCESSES));
  });

  it('and the dashboards count every code that is our fault', () => {
    const faults = Object.entries(ERROR_CODES).flatMap(([code, { status }]) => (status >= 500 ? code : []));
    const panels = boards.flatMap(([, board]) => board.panels.flatMap(({ targets = [] }) => targets));
    const counted = [...rules, ...panels].flatMap(({ expr }) => /code[=!]~"(?:ok\|)?([^"]+)"/.exec(expr)?.[1] ?? []);
    expect(counted.length).toBeGreaterThan(5);
    expect(new Set(counted)).toEqual(new Set([faults.join('|')]));
  });

  it('say what happens, how urgent it is, and lead to a section of the runbooks', () => {
    const sections = [...read('docs/runbooks.md').matchAll(/^### (\w+)$/gm)].map(([, name = '']) => name);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
    for (const { alert, labels, annotations } of alerts) {
      expect(['page', 'ticket']).toContain(labels['severity']);
      expect(annotations?.summary).toMatch(/\.$/);
      expect(annotations?.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    }
  });

  it.each(['runbooks', 'operating'])('lead in docs/%s.md only to operations that exist', (name) => {
    const there = new Set(
      operations.filter(hasEndpoint).map((one) => `${one.rest.method} ${pathOf(one)}`.replaceAll(/\{\w+\}/g, '{id}')),
    );
    const named = [
      ...read('docs', `${name}.md`).matchAll(/`(?:(GET|POST|PUT|PATCH|DELETE) )(?:\{app_url\})?(\/[\w/{}-]+)/g),
    ];
    expect(named.length).toBeGreaterThan(5);
    expect(named.map(([, method, path]) => `${method} ${path}`).filter((one) => !there.has(one))).toEqual([]);
  });

  it('each have a case in which they fire, and one in which they do not', () => {
    for (const fires of [true, false])
      expect(new Set(CASES.filter((one) => one.fires === fires).map(({ alert }) => alert))).toEqual(
        new Set(alerts.map(({ alert }) => alert)),
      );
  });

  describe('as promtool evaluates them', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(process.env['CDS_TEST_HOME'] ?? tmpdir(), 'alerts-'));
    });
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    const said = (...args: string[]): string => {
      try {
        return execFileSync(promtool ?? '', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        return `failed: ${stdout}${stderr}`;
      }
    };
    const firing = (alert: string) => `count by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"})`;
    const testOf = ({ alert, series, at, fires }: AlertCase) => ({
      name: `${alert} ${fires ? 'fires' : 'is silent'}`,
      interval: '15s',
      input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
      promql_expr_test: [
        {
          expr: firing(alert),
          eval_time: at,
          exp_samples: fires ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
        },
      ],
    });
    /** The rules that one alert needs: of all together each case would evaluate a hundred. */
    const rulesOf = (alert: string): unknown => {
      const own = rules.filter((one) => one.alert === alert);
      const isUsed = ({ record, labels }: Rule) =>
        record !== undefined && own.some(({ expr }) => expr.includes(`slo="${labels['slo']}"`));
      const recorded = rules.filter(isUsed);
      return { groups: [{ name: alert, rules: [...recorded, ...own] }] };
    };
    /** What promtool says of test cases, at Prometheus's default pace, which docker compose keeps. */
    const tested = (cases: readonly AlertCase[]): string => {
      const files = [...new Set(cases.map(({ alert }) => alert))].map((alert) => {
        const [ruleFile, file] = [`${alert}.yaml`, join(folder, `${alert}.test.yaml`)];
        writeFileSync(join(folder, ruleFile), stringify(rulesOf(alert)));
        const tests = cases.filter((one) => one.alert === alert).map(testOf);
        writeFileSync(file, stringify({ rule_files: [ruleFile], evaluation_interval: '1m', tests }));
        return file;
      });
      return said('test', 'rules', ...files);
    };
    /** Without promtool these count as skipped: `node tools/run.js fetch promtool` brings it. */
    const whenThere = promtool === undefined ? it.skip : it;

    whenThere('are rules that Prometheus accepts', () => {
      expect(said('check', 'rules', '--lint=all', '--lint-fatal', join(REPOSITORY, FOLDER, 'alerts.yaml'))).toMatch(
        /SUCCESS/,
      );
    });

    whenThere('query in every panel what Prometheus can parse', () => {
      const expressions = boards.flatMap(([, { panels }]) =>
        panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
      );
      const file = join(folder, 'panels.yaml');
      const plain = expressions.map((one) => one.replaceAll('$__rate_interval', '5m').replaceAll('$service', '.*'));
      const recorded = plain.map((expr, index) => ({ record: `panel:${index}`, expr }));
      writeFileSync(file, stringify({ groups: [{ name: 'panels', rules: recorded }] }));
      expect(said('check', 'rules', file)).toMatch(new RegExp(`SUCCESS: ${plain.length} rules found`));
    });

    whenThere(
      'fire where they should, and only there',
      () => {
        expect(tested(CASES)).not.toMatch(/FAILED|failed/);
      },
      120_000,
    );

    whenThere('are loaded by the configuration of docker compose', () => {
      const config = read('deploy/compose/prometheus.yml').replace(
        /\/etc\/prometheus\/alerts\.yaml/,
        join(REPOSITORY, FOLDER, 'alerts.yaml'),
      );
      const file = join(folder, 'prometheus.yml');
      writeFileSync(file, config);
      expect(said('check', 'config', file)).toMatch(/SUCCESS/);
    });
  });
});
