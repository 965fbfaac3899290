/** The findings as people read them. */

/** @typedef {import('./findings.js').Finding} Finding */

const LABEL_WIDTH = 16;
const MARKS = /** @type {const} */ ({ well: ['✓', 32], look: ['!', 33], stops: ['✗', 31], unknown: ['·', 2] });

/**
 * One line for each finding and its remedies below, then what it comes to.
 * @param {readonly Finding[]} findings
 * @param {(code: number, text: string) => string} paint
 */
export function reportOf(findings, paint) {
  const lines = findings.flatMap(({ subject, level, says, mend }) => {
    const [mark, colour] = MARKS[level];
    const remedies = mend.map((one, index) => `      ${mend.length > 1 ? `${index + 1}. ` : ''}${one}`);
    return [`  ${paint(colour, mark)} ${subject.padEnd(LABEL_WIDTH)} ${says}`, ...remedies];
  });
  return `${lines.join('\n')}\n\n  ${conclusion(findings)}\n`;
}

/** @param {readonly Finding[]} findings */
function conclusion(findings) {
  const stopping = findings.filter(({ level }) => level === 'stops').length;
  const looking = findings.filter(({ level }) => level === 'look').length;
  const rest = looking === 0 ? '' : ` ${count(looking, 'thing')} should be looked at (!).`;
  if (stopping > 0) return `${count(stopping, 'problem')} stop${stopping === 1 ? 's' : ''} the system (✗).${rest}`;
  return `Nothing stops the system.${rest}`;
}

/**
 * @param {number} number
 * @param {string} noun
 */
const count = (number, noun) => `${number} ${noun}${number === 1 ? '' : 's'}`;
