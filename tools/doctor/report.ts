import type { Finding } from './findings.ts';

const LABEL_WIDTH = 16;
const MARKS = { well: ['✓', 32], look: ['!', 33], stops: ['✗', 31], unknown: ['·', 2] } as const;

/** One line for each finding and its remedies below, then what it comes to. */
export function reportOf(findings: readonly Finding[], paint: (code: number, text: string) => string) {
  const lines = findings.flatMap(({ subject, level, says, mend }) => {
    const [mark, colour] = MARKS[level];
    const remedies = mend.map((one, index) => `      ${mend.length > 1 ? `${index + 1}. ` : ''}${one}`);
    return [`  ${paint(colour, mark)} ${subject.padEnd(LABEL_WIDTH)} ${says}`, ...remedies];
  });
  return `${lines.join('\n')}\n\n  ${conclusion(findings)}\n`;
}

function conclusion(findings: readonly Finding[]) {
  const stopping = findings.filter(({ level }) => level === 'stops').length;
  const looking = findings.filter(({ level }) => level === 'look').length;
  const rest = looking === 0 ? '' : ` ${count(looking, 'thing')} should be looked at (!).`;
  if (stopping > 0) return `${count(stopping, 'problem')} stop${stopping === 1 ? 's' : ''} the system (✗).${rest}`;
  return `Nothing stops the system.${rest}`;
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
