/** The countries of each group (docs/domain/network.md#regions), for the plan builder's regional preference. */
import { PLACES } from './gazetteer.js';
import { WORLDWIDE } from './regions.js';

const NORDICS = 'DK FI IS NO SE';
const BALTICS = 'EE LV LT';
const BENELUX = 'BE NL LU';
const DACH = 'DE AT CH';
const EASTERN = 'BY BG CZ HU MD PL RO RU SK UA';
const WESTERN = `AD AT BE FR DE IE LI LU MC NL PT ES CH GB`;
const EUROPE = `${WESTERN} ${EASTERN} ${NORDICS} ${BALTICS} AL BA HR CY GR IT XK MT ME MK RS SI SM VA`;
const EU = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE';
const GCC = 'AE BH KW OM QA SA';
const MENA = `${GCC} DZ EG IR IQ IL JO LB LY MA PS SY TN YE`;
const SUB_SAHARA =
  'AO BJ BW BF BI CM CV CF TD KM CD CG CI DJ GQ ER SZ ET GA GM GH GN GW KE LS LR MG MW ML MR MU MZ NA NE NG RW ST SN SC SL SO ZA SS SD TZ TG UG ZM ZW';
const AFRICA = `${SUB_SAHARA} DZ EG LY MA TN`;
const SOUTH_EAST_ASIA = 'BN KH ID LA MY MM PH SG TH TL VN';
const ASIA = `${SOUTH_EAST_ASIA} ${GCC} AF AM AZ BD BT CN GE HK IN IR IQ IL JO JP KZ KG KR KP LB MO MN MV NP PK PS LK SY TJ TR TW TM UZ YE`;
const OCEANIA = 'AU NZ FJ PG';
const CENTRAL_AMERICA = 'BZ CR SV GT HN NI PA';
const SOUTH_AMERICA = 'AR BO BR CL CO EC GY PY PE SR UY VE';

const MEMBERS: Readonly<Record<string, string>> = {
  Africa: AFRICA,
  Asia: ASIA,
  APAC: `${SOUTH_EAST_ASIA} ${OCEANIA} BD BT CN HK IN JP KR MO MN MV NP PK LK TW`,
  Baltics: BALTICS,
  Benelux: BENELUX,
  'Central America': CENTRAL_AMERICA,
  DACH,
  EMEA: `${EUROPE} ${MENA} ${AFRICA} TR`,
  'Eastern Europe': EASTERN,
  Europe: EUROPE,
  EU,
  GCC,
  LATAM: `${CENTRAL_AMERICA} ${SOUTH_AMERICA} CU DO HT MX PR`,
  MENA,
  Nordics: NORDICS,
  'North America': 'CA MX US',
  Oceania: OCEANIA,
  'South America': SOUTH_AMERICA,
  'South East Asia': SOUTH_EAST_ASIA,
  'Sub Saharan Africa': SUB_SAHARA,
  'Western Europe': WESTERN,
};

const CODES: ReadonlyMap<string, string> = new Map(
  PLACES.map(({ shown, codes }) => [shown.toLowerCase(), codes[0] ?? '']),
);

/** Null for an unknown country, undefined for every country when the regions are worldwide. */
export const insideOf = (regions: readonly string[]): ((country: string | null) => boolean | null | undefined) => {
  if (regions.includes(WORLDWIDE)) return () => undefined;
  const inside = new Set(
    regions.flatMap((region) => MEMBERS[region]?.split(' ') ?? CODES.get(region.toLowerCase()) ?? []),
  );
  return (country) => {
    const code = CODES.get(country?.toLowerCase() ?? '');
    return code === undefined ? null : inside.has(code);
  };
};

/** The groups with known countries. */
export const GROUPS: readonly string[] = Object.keys(MEMBERS);
