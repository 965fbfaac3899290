/** Grafana dashboards as values: rows of panels, laid out on Grafana's grid of 24 columns. */

/**
 * @typedef {{ expr: string, legend?: string }} Query
 * @typedef {{
 *   title: string,
 *   about?: string,
 *   type?: 'timeseries' | 'stat' | 'table',
 *   unit?: string,
 *   width?: number,
 *   stacked?: boolean,
 *   limit?: number,
 *   queries: readonly Query[],
 * }} Panel `unit` is one of Grafana's; `limit` draws a line where an alert begins.
 * @typedef {{ title: string, panels: readonly Panel[] }} Row
 * @typedef {{ uid: string, title: string, about: string, rows: readonly Row[] }} Board
 */

const COLUMNS = 24;
const HEIGHT = 8;
const SOURCE = { type: 'prometheus', uid: '$source' };
/** Grafana's version that the panels are written for. */
const SCHEMA = 41;

/** @param {Panel} panel */
const options = ({ type = 'timeseries' }) =>
  ({
    timeseries: {
      legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    stat: { reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false }, colorMode: 'value' },
    table: { showHeader: true },
  })[type];

/** @param {Panel} panel */
const fields = ({ unit = 'short', stacked = false, limit }) => ({
  defaults: {
    unit,
    min: 0,
    custom: {
      fillOpacity: stacked ? 30 : 5,
      lineWidth: 1,
      showPoints: 'never',
      stacking: { mode: stacked ? 'normal' : 'none' },
      thresholdsStyle: { mode: limit === undefined ? 'off' : 'line' },
    },
    thresholds: {
      mode: 'absolute',
      steps: [{ color: 'green', value: null }, ...(limit === undefined ? [] : [{ color: 'red', value: limit }])],
    },
  },
  overrides: [],
});

/**
 * @param {Panel} panel
 * @param {{ id: number, x: number, y: number }} place
 */
const panelJson = (panel, { id, x, y }) => ({
  id,
  type: panel.type ?? 'timeseries',
  title: panel.title,
  ...(panel.about && { description: panel.about }),
  datasource: SOURCE,
  gridPos: { h: HEIGHT, w: panel.width ?? 8, x, y },
  fieldConfig: fields(panel),
  options: options(panel),
  targets: panel.queries.map(({ expr, legend = '' }, index) => ({
    refId: 'ABCDEFGH'[index],
    datasource: SOURCE,
    editorMode: 'code',
    expr,
    legendFormat: legend || '__auto',
    ...(panel.type === 'table' && { format: 'table', instant: true }),
  })),
});

/** The panels of a board with their places. @param {Board} board */
function placed({ rows }) {
  /** @type {object[]} */
  const panels = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      gridPos: { h: 1, w: COLUMNS, x: 0, y },
      panels: [],
    });
    y += 1;
    let x = 0;
    for (const panel of row.panels) {
      const width = panel.width ?? 8;
      if (x + width > COLUMNS) {
        x = 0;
        y += HEIGHT;
      }
      panels.push(panelJson(panel, { id: panels.length + 1, x, y }));
      x += width;
    }
    y += HEIGHT;
  }
  return panels;
}

/** A board as Grafana reads it from a file. @param {Board} board */
export function boardJson(board) {
  const json = {
    uid: board.uid,
    title: board.title,
    description: board.about,
    tags: ['cds'],
    timezone: 'utc',
    editable: false,
    graphTooltip: 1,
    refresh: '30s',
    schemaVersion: SCHEMA,
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', current: {}, hide: 0 },
        {
          name: 'service',
          label: 'Service',
          type: 'query',
          datasource: SOURCE,
          query: { query: 'label_values(cds_build_info, service)', refId: 'service' },
          refresh: 2,
          includeAll: true,
          multi: true,
          allValue: '.*',
          current: { text: 'All', value: '$__all' },
        },
      ],
    },
    links: [{ type: 'dashboards', title: 'CDS', tags: ['cds'], asDropdown: true, keepTime: true }],
    panels: placed(board),
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}
