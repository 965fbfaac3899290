export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };

export type Family = { type: string; help: string; samples: Sample[] };

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
/** What the samples of a histogram are called beside its name. */
const PART = /_(?:bucket|sum|count)$/;

/** Reads the text of /metrics; throws for a line that it cannot read. */
export const familiesOf = (text: string): Map<string, Family> => {
  const families = new Map<string, Family>();
  const family = (name: string): Family => {
    const found = families.get(name) ?? { type: '', help: '', samples: [] };
    families.set(name, found);
    return found;
  };
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, keyword = '', name = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.*)$/.exec(line) ?? [];
    if (keyword === 'HELP') family(name).help = rest;
    else if (keyword === 'TYPE') family(name).type = rest;
    else {
      const sample = sampleOf(line);
      family(families.has(sample.name) ? sample.name : sample.name.replace(PART, '')).samples.push(sample);
    }
  }
  return families;
};

const sampleOf = (line: string): Sample => {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`"${line}" is no sample`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text.replace(/\\(.)/g, '$1')]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
};
