/** A creator as an importer reads it, identity texts included. None of these shapes is stored. */
import type { CreatorStatus, Format } from '@cds/contracts';
import type { PostCounts } from '../creator/creator.js';

export type ImportedPost = PostCounts & {
  id: string;
  created_at: Date;
  kind: Format;
  text: string;
  paid_partnership: boolean;
  /** Whom a quote quotes, where the source says so; stored only with the identity. */
  quoted_handle?: string | null;
  /** The ids of its versions before an edit. */
  former_ids?: readonly string[];
};

/** One format that a creator asks a price for; `ask_cents` is net. */
export type ImportedUnit = {
  format: Format;
  label: string | null;
  deliverable: string | null;
  ask_cents: number;
  as_of: string;
  source: 'team' | 'creator';
  method: 'set_price' | 'agreed_rate' | 'stated';
};

export type GeneratedFacts = {
  seed: number;
  index: number;
  id: string;
  unit_ids: Readonly<Record<Format, string>>;
  status: CreatorStatus;
  active: boolean;
  flag_inactive: boolean;
  excluded: boolean;
  /** The name under which its picture is served. */
  avatar: string | null;
  refresh_failed: boolean;
};

export type ImportedCreator = {
  network_id: string;
  handle: string;
  url: string;
  name: string | null;
  bio: string | null;
  followers: number | null;
  verified_badge: boolean | null;
  account_created_at: Date | null;
  protected: boolean;
  parody: boolean;
  withheld: boolean;
  country: string | null;
  language: string | null;
  posts: ImportedPost[];
  units: ImportedUnit[];
  generated: GeneratedFacts | null;
};
