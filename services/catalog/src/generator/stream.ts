/** The generator's random stream: xoshiro128** seeded by SHA-256 (docs/domain/network.md#generated-network). */
import { createHash } from 'node:crypto';

const rotated = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

export class Stream {
  private readonly state: Int32Array;
  private spare: number | null = null;

  /** A stream of one creator: seeded by "seed:index", and by what it is for where the creator has further ones. */
  constructor(seed: number, index: number, of = '') {
    const digest = createHash('sha256').update(`${seed}:${index}${of}`).digest();
    this.state = Int32Array.from([0, 4, 8, 12], (at) => digest.readInt32BE(at));
  }

  bits(): number {
    const s = this.state;
    const [a, b, c, d] = [s[0] ?? 0, s[1] ?? 0, s[2] ?? 0, s[3] ?? 0];
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const e = c ^ a;
    const f = d ^ b;
    s[0] = a ^ f;
    s[1] = b ^ e;
    s[2] = e ^ (b << 9);
    s[3] = rotated(f, 11);
    return result;
  }

  unit(): number {
    return this.bits() / 0x1_0000_0000;
  }

  uniform(from: number, to: number): number {
    return from + (to - from) * this.unit();
  }

  below(count: number): number {
    return Math.floor(this.unit() * count);
  }

  bernoulli(probability: number): boolean {
    return this.unit() < probability;
  }

  normal(): number {
    if (this.spare !== null) {
      const kept = this.spare;
      this.spare = null;
      return kept;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - this.unit()));
    const angle = 2 * Math.PI * this.unit();
    this.spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  logNormal(median: number, spread: number): number {
    return median * Math.exp(spread * this.normal());
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }

  weighted(weights: readonly number[]): number {
    let left = this.unit() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [index, weight] of weights.entries()) {
      left -= weight;
      if (left < 0) return index;
    }
    return weights.length - 1;
  }

  /** A version 4 UUID of the next 128 bits. */
  uuid(): string {
    const hex = [0, 1, 2, 3].map(() => this.bits().toString(16).padStart(8, '0')).join('');
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
