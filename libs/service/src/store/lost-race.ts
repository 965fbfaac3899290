/**
 * A compare-and-set found a state other than the one decided on. The shell loads and decides again (reliability 3.6).
 */
export class LostRace extends Error {
  constructor(what: string) {
    super(`lost race on ${what}`);
    this.name = 'LostRace';
  }
}
