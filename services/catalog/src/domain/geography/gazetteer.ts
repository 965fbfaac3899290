/**
 * Countries and groups of countries (docs/domain/network.md#regions): the ISO 3166 code, the name we show, then other
 * names and demonyms, separated by commas. Names match in any case, codes only in capitals.
 */
const COUNTRY_LINES = `
AF Afghanistan,Afghan
AL Albania,Albanian
DZ Algeria,Algerian
AD Andorra
AO Angola,Angolan
AR Argentina,Argentinian,Argentine
AM Armenia,Armenian
AU Australia,Australian,Aussie
AT Austria,Austrian,Österreich
AZ Azerbaijan,Azerbaijani
BS Bahamas,Bahamian
BH Bahrain,Bahraini
BD Bangladesh,Bangladeshi
BB Barbados
BY Belarus,Belarusian
BE Belgium,Belgian
BZ Belize
BJ Benin
BT Bhutan
BO Bolivia,Bolivian
BA Bosnia and Herzegovina,Bosnia,Bosnian
BW Botswana
BR Brazil,Brazilian,Brasil
BN Brunei
BG Bulgaria,Bulgarian
BF Burkina Faso
BI Burundi
KH Cambodia,Cambodian
CM Cameroon,Cameroonian
CA Canada,Canadian
CV Cape Verde
TD Chad
CL Chile,Chilean
CN China,Chinese
CO Colombia,Colombian
CD Democratic Republic of the Congo,DR Congo
CR Costa Rica,Costa Rican
CI Ivory Coast,Côte d'Ivoire
HR Croatia,Croatian
CU Cuba,Cuban
CY Cyprus,Cypriot
CZ Czech Republic,Czechia,Czech
DK Denmark,Danish
DO Dominican Republic,Dominican
EC Ecuador,Ecuadorian
EG Egypt,Egyptian
SV El Salvador,Salvadoran
EE Estonia,Estonian
ET Ethiopia,Ethiopian
FJ Fiji
FI Finland,Finnish
FR France,French
GA Gabon
GE Georgia,Georgian
DE Germany,German,Deutschland
GH Ghana,Ghanaian
GR Greece,Greek
GT Guatemala,Guatemalan
GN Guinea
HT Haiti,Haitian
HN Honduras,Honduran
HK Hong Kong
HU Hungary,Hungarian
IS Iceland,Icelandic
IN India,Indian
ID Indonesia,Indonesian
IR Iran,Iranian
IQ Iraq,Iraqi
IE Ireland,Irish
IL Israel,Israeli
IT Italy,Italian,Italia
JM Jamaica,Jamaican
JP Japan,Japanese
JO Jordan,Jordanian
KZ Kazakhstan,Kazakh
KE Kenya,Kenyan
KW Kuwait,Kuwaiti
KG Kyrgyzstan
LA Laos
LV Latvia,Latvian
LB Lebanon,Lebanese
LY Libya,Libyan
LI Liechtenstein
LT Lithuania,Lithuanian
LU Luxembourg
MG Madagascar
MW Malawi
MY Malaysia,Malaysian
MV Maldives
ML Mali
MT Malta,Maltese
MU Mauritius
MX Mexico,Mexican,México
MD Moldova,Moldovan
MC Monaco
MN Mongolia,Mongolian
ME Montenegro
MA Morocco,Moroccan
MZ Mozambique
MM Myanmar,Burma
NA Namibia
NP Nepal,Nepali,Nepalese
NL Netherlands,Dutch,Holland
NZ New Zealand,New Zealander
NI Nicaragua
NG Nigeria,Nigerian
KP North Korea
MK North Macedonia,Macedonia
NO Norway,Norwegian
OM Oman,Omani
PK Pakistan,Pakistani
PA Panama,Panamanian
PY Paraguay
PE Peru,Peruvian
PH Philippines,Filipino,Philippine
PL Poland,Polish
PT Portugal,Portuguese
PR Puerto Rico,Puerto Rican
QA Qatar,Qatari
RO Romania,Romanian
RU Russia,Russian
RW Rwanda,Rwandan
SA Saudi Arabia,Saudi
SN Senegal,Senegalese
RS Serbia,Serbian
SG Singapore,Singaporean
SK Slovakia,Slovak
SI Slovenia,Slovenian
SO Somalia,Somali
ZA South Africa,South African
KR South Korea,Korea,Korean,South Korean
ES Spain,Spanish,España
LK Sri Lanka,Sri Lankan
SD Sudan,Sudanese
SE Sweden,Swedish
CH Switzerland,Swiss
SY Syria,Syrian
TW Taiwan,Taiwanese
TJ Tajikistan
TZ Tanzania,Tanzanian
TH Thailand,Thai
TT Trinidad and Tobago
TN Tunisia,Tunisian
TR Turkey,Türkiye,Turkish
UG Uganda,Ugandan
UA Ukraine,Ukrainian
AE United Arab Emirates,Emirati
GB United Kingdom,Great Britain,Britain,British,England,Scotland,Scottish,Wales,Welsh,Northern Ireland
US United States,United States of America,America,American
UY Uruguay,Uruguayan
UZ Uzbekistan,Uzbek
VE Venezuela,Venezuelan
VN Vietnam,Vietnamese
YE Yemen,Yemeni
ZM Zambia,Zambian
ZW Zimbabwe,Zimbabwean
`;

const GROUP_LINES = `
Africa,African
Asia,Asian
APAC,Asia Pacific
Baltics,Baltic
Benelux
Central America
DACH
EMEA
Eastern Europe
Europe,European
EU,European Union
GCC,Gulf states
LATAM,Latin America,Latin American
MENA,Middle East,Middle East and North Africa
Nordics,Nordic,Scandinavia,Scandinavian
North America,North American
Oceania
South America,South American
South East Asia,Southeast Asia,SEA
Sub Saharan Africa
Western Europe
`;

const linesOf = (text: string): string[] => text.trim().split('\n');

/** A place: the name we show, every name it goes by, and its codes. */
export type Place = { shown: string; names: readonly string[]; codes: readonly string[]; isCountry: boolean };

/** Other codes that people write. */
const MORE_CODES: Readonly<Record<string, readonly string[]>> = {
  US: ['USA'],
  GB: ['UK', 'GBR'],
  AE: ['UAE'],
  DE: ['DEU'],
};

const isCode = (name: string): boolean => /^[A-Z]{2,5}$/.test(name);

/** Every place of the gazetteer. */
export const PLACES: readonly Place[] = [
  ...linesOf(COUNTRY_LINES).map((line): Place => {
    const code = line.slice(0, 2);
    const names = line.slice(3).split(',');
    return { shown: names[0] ?? code, names, codes: [code, ...(MORE_CODES[code] ?? [])], isCountry: true };
  }),
  ...linesOf(GROUP_LINES).map((line): Place => {
    const all = line.split(',');
    return {
      shown: all[0] ?? '',
      names: all.filter((name) => !isCode(name) || name.length > 3),
      codes: all.filter(isCode),
      isCountry: false,
    };
  }),
];

/** The codes of the countries where most people speak a language, by its name in lower case. */
const SPEAKERS: Readonly<Record<string, string>> = {
  english: 'US GB CA AU IE NZ',
  german: 'DE AT CH',
  french: 'FR BE CH CA',
  spanish: 'ES MX AR BO CL CO CR CU DO EC SV GT HN NI PA PY PE PR UY VE',
  portuguese: 'PT BR AO CV MZ',
};

const SHOWN: ReadonlyMap<string, string> = new Map(PLACES.map(({ shown, codes }) => [codes[0] ?? '', shown]));

/** The countries that a language implies ("English-speaking countries"), by its name in lower case. */
export const COUNTRIES_OF_LANGUAGES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(SPEAKERS).map(([language, codes]) => [
    language,
    codes.split(' ').map((code) => SHOWN.get(code) ?? code),
  ]),
);

/** Codes with another meaning in job descriptions; they name a place only in a geography. */
export const TRADE_CODES: ReadonlySet<string> = new Set(
  'AD AI AM BA BI CD CI CO CV DE DO ES GA HR ID IN IS IT LA MA MC MD ME ML MS NA NO OM PA PE PR QA SA SEA SI SO TD TV VC'.split(
    ' ',
  ),
);

/** Names that are ordinary words in lower case: polish, turkey, jordan. */
export const CAPITAL_NAMES: ReadonlySet<string> = new Set(
  'polish turkey jordan chad georgia china guinea japan finnish mali swiss danish'.split(' '),
);
