import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';

/** Whether the processor has AVX, which MongoDB 5 and newer need on x64; null where it does not matter or is hidden. */
export function processorHasAvx() {
  if (arch() !== 'x64') return null;
  try {
    if (platform() === 'linux') return hasAvx(readFileSync('/proc/cpuinfo', 'utf8'));
    if (platform() === 'darwin')
      return hasAvx(`flags: ${execFileSync('sysctl', ['-n', 'machdep.cpu.features'], { encoding: 'utf8' })}`);
    return null;
  } catch {
    return null;
  }
}

/** Whether the flags in a text of /proc/cpuinfo name it; null without flags. */
export function hasAvx(text: string) {
  const flags = /^flags\s*:(.*)$/m.exec(text)?.[1];
  return flags === undefined ? null : /\bavx(1\.0)?\b/i.test(flags);
}
