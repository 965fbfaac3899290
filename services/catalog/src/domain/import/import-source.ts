import type { ViewsSource } from '../creator/creator.js';
import type { Launch } from '../launches/collabs.js';

/** What holds for every row of an import: when its facts were true, when they are recorded, and who brought them. */
export type ImportSource = {
  asOf: Date;
  recordedAt: Date;
  viewsSource: ViewsSource;
  setBy: string;
  launches?: readonly Launch[];
};

export type NewId = () => string;
