import { z } from 'zod';
import file from './words.json' with { type: 'json' };

const texts = z.tuple([z.string()], z.string());
const weights = z.record(z.string(), z.int().min(1)).transform((found) => Object.entries(found));

const words = z
  .strictObject({
    first_names: texts,
    last_names: texts,
    countries: weights,
    languages: weights,
    on_topic: texts,
    off_topic: texts,
    bios: texts,
  })
  .parse(file);

/** The vocabulary of the generated network: invented people who write plain sentences about their segments. */
export const FIRST_NAMES = words.first_names;
export const LAST_NAMES = words.last_names;

export const COUNTRIES = words.countries;
export const LANGUAGES = words.languages;

export const ON_TOPIC = words.on_topic;

export const OFF_TOPIC = words.off_topic;

export const BIOS = words.bios;
