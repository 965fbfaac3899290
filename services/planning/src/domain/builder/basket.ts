import type { Columns } from './columns.js';

/**
 * A set of options under the limits, with what is left of each group's curve, so that the gain of any further option is
 * a short sum without an exponential (docs/domain/plans.md#plan-value). The options of a group never add up to more
 * than twice its U, so `left` never becomes zero.
 */
export class Basket {
  readonly held: number[] = [];
  readonly left: Float64Array;
  cents = 0;
  lines = 0;
  readonly bandLines: Float64Array;
  /** The option of each candidate in the set, -1 where none is. */
  readonly heldOf: Int32Array;
  private readonly whole: number;

  constructor(
    readonly columns: Columns,
    held: readonly number[] = [],
  ) {
    this.left = Float64Array.from(columns.reach);
    this.bandLines = new Float64Array(columns.bandLines.length);
    this.heldOf = new Int32Array((columns.owner.at(-1) ?? -1) + 1).fill(-1);
    this.whole = sumOf(columns.reach);
    for (const option of held) this.add(option);
  }

  value(): number {
    return this.whole - sumOf(this.left);
  }

  fits(option: number): boolean {
    const { owner, cents, lines, band, limits, bandLines } = this.columns;
    const count = lines[option] as number;
    const of = band[option] as number;
    return (
      this.cents + (cents[option] as number) <= limits.capCents &&
      this.lines + count <= limits.lines &&
      this.held.length < limits.creators &&
      (this.bandLines[of] as number) + count <= (bandLines[of] as number) &&
      this.heldOf[owner[option] as number] === -1
    );
  }

  fitsFor(option: number, out: number): boolean {
    const { owner, cents, lines, band, limits, bandLines } = this.columns;
    const count = lines[option] as number;
    const of = band[option] as number;
    const freed = lines[out] as number;
    const holder = this.heldOf[owner[option] as number] as number;
    return (
      (holder === -1 || holder === out) &&
      this.cents - (cents[out] as number) + (cents[option] as number) <= limits.capCents &&
      this.lines - freed + count <= limits.lines &&
      (this.bandLines[of] as number) - (band[out] === of ? freed : 0) + count <= (bandLines[of] as number)
    );
  }

  gain(option: number): number {
    const { segments, taken, band } = this.columns;
    const first = (band[option] as number) * segments;
    let sum = 0;
    for (let segment = 0; segment < segments; segment += 1)
      sum += (this.left[first + segment] as number) * (taken[option * segments + segment] as number);
    return sum;
  }

  loss(option: number): number {
    const { segments, taken, band } = this.columns;
    const first = (band[option] as number) * segments;
    let sum = 0;
    for (let segment = 0; segment < segments; segment += 1) {
      const part = taken[option * segments + segment] as number;
      sum += ((this.left[first + segment] as number) * part) / (1 - part);
    }
    return sum;
  }

  add(option: number): void {
    this.count(option, 1);
    this.heldOf[this.columns.owner[option] as number] = option;
    let place = this.held.length;
    while (place > 0 && (this.held[place - 1] as number) > option) place -= 1;
    this.held.splice(place, 0, option);
    this.take(option);
  }

  /** Takes an option out; the curves are computed from scratch, so that rounding errors never add up. */
  remove(option: number): void {
    this.count(option, -1);
    this.heldOf[this.columns.owner[option] as number] = -1;
    this.held.splice(this.held.indexOf(option), 1);
    this.left.set(this.columns.reach);
    for (const one of this.held) this.take(one);
  }

  private count(option: number, sign: 1 | -1): void {
    const { cents, lines, band } = this.columns;
    const of = band[option] as number;
    this.cents += sign * (cents[option] as number);
    this.lines += sign * (lines[option] as number);
    this.bandLines[of] = (this.bandLines[of] as number) + sign * (lines[option] as number);
  }

  private take(option: number): void {
    const { segments, taken, band } = this.columns;
    const first = (band[option] as number) * segments;
    for (let segment = 0; segment < segments; segment += 1)
      this.left[first + segment] =
        (this.left[first + segment] as number) * (1 - (taken[option * segments + segment] as number));
  }
}

const sumOf = (column: Float64Array): number => {
  let sum = 0;
  for (const one of column) sum += one;
  return sum;
};
