import { plainLook } from '@cds/contracts';
import { describe, expect, it } from '@jest/globals';
import { cleanerFor } from './cleaning.js';

/** Forms in which creators write how to reach them; `N` is the handle, `n` a part of it. */
const FORMS = [
  ...['N', '@N', '_N', 'N_', '__N__', '#N', '(N)', 'N99', '7N', 'Nxyz', 'N_xyz', 'realN', 'theN', 'N_official', 'NHQ'],
  ...[
    'x.com/N',
    'https://github.com/N',
    'N.substack.com',
    'N@mail.example',
    'N [at] proton [dot] me',
    'N at gmail dot com',
  ],
  ...[
    'n.eth',
    'n.sol',
    'n.sh',
    'n.studio',
    'n.co.uk',
    'www.n.dev',
    'n[.]sh',
    'n (dot) xyz',
    'n dot dev',
    'n . io',
    'n。app',
  ],
  ...[
    'Telegram N',
    'tg: other_name',
    'Discord: somebody#1234',
    'WhatsApp +44 7700 900123',
    'Signal: other.42',
    'IG → n.photo',
    'Skype live:othername',
    'Line ID: othername',
    'Телеграм othername',
    'other_name on insta',
    'WhatsApp 07700 900123',
    'Call (770) 077-0077 00',
  ],
  ...['askN', 'N_blog', 'N1official', 'n-dot-dev', 'n _dot_ sh', 'n -at- proton -dot- me', 'n｡app'],
  ...['t.me/othername', 'linktr.ee/n', 'Telegram othername'],
];
const SPELLED = [
  (handle: string) => handle.toUpperCase(),
  (handle: string) => handle.replaceAll('_', ''),
  (handle: string) => handle.replaceAll('_', '.'),
  (handle: string) => handle.replaceAll('_', '/'),
  (handle: string) => handle.replaceAll('_', ' — ').replaceAll(' ', ''),
  (handle: string) => handle.replaceAll('a', '4').replaceAll('e', '3').replaceAll('i', '1'),
  (handle: string) => handle.replaceAll('a', 'а').replaceAll('o', 'ο').replaceAll('i', 'і'),
  (handle: string) => [...handle.replaceAll('_', '')].join(' '),
  (handle: string) =>
    handle.replaceAll(/[a-z]/g, (letter) => String.fromCodePoint(0x1f150 - 97 + letter.charCodeAt(0))),
  (handle: string) => handle.replace(/^[a-z]/, (letter) => String.fromCodePoint(0x24d0 - 97 + letter.charCodeAt(0))),
  (handle: string) => [...handle].map((letter) => (letter === '_' ? '_' : `${letter}\u200B`)).join(''),
];
const HANDLES = ['quill_rae', 'mira_holm', 'tobias_fern', 'odapark', 'nils_berg_7'];

const canaries = HANDLES.flatMap((handle) => {
  const part = handle.split('_')[0] ?? handle;
  const forms = FORMS.map((form) => form.replace('N', handle).replace(/\bn\b/, part));
  return [...forms, ...SPELLED.map((spell) => spell(handle))].map((form) => ({ handle, part, form }));
});

const REACH = [
  'othername',
  'other_name',
  'somebody',
  '1234',
  '7700',
  'other.42',
  'photo',
  'proton',
  'gmail',
  '.eth',
  '.sh',
];

/** What a cleaned text still tells of its creator. */
const leakIn = (text: string, { handle, part }: { handle: string; part: string }): string | null => {
  const letters = plainLook(text).replace(/[^\p{L}\p{N}]+/gu, '');
  const left = [handle.replaceAll('_', ''), `${part}.`, `${part} `]
    .map(plainLook)
    .filter((word) => letters.includes(word));
  return [...left, ...REACH.filter((word) => text.toLowerCase().includes(word))][0] ?? null;
};

describe('who a creator is', () => {
  it('stays hidden in 200 texts that tell it', () => {
    expect(canaries.length).toBeGreaterThanOrEqual(200);
    const leaks = canaries.flatMap(({ handle, part, form }) =>
      [form, `Notes on databases. ${form}`, `I build, write and teach (${form}), mostly at night`].flatMap((bio) => {
        const cleaned = cleanerFor(handle)(bio);
        return leakIn(cleaned, { handle, part }) === null ? [] : [`${bio} → ${cleaned}`];
      }),
    );
    expect(leaks).toEqual([]);
  });

  it('costs at most 2 % of the words of 200 harmless bios', () => {
    const handles = ['build_fast', 'design', 'ada', 'data_notes', 'code4fun', 'the_founder', 'growth_lab', 'ai_dev'];
    const bios = DOES.flatMap((does, at) => BESIDE.map((beside, of) => ({ bio: `${does}. ${beside}.`, by: at + of })));
    expect(bios).toHaveLength(200);
    const count = (text: string) => text.split(/[^\p{L}\p{N}']+/u).filter((word) => word !== '').length;
    let [written, left] = [0, 0];
    for (const { bio, by } of bios) {
      written += count(bio);
      left += count(cleanerFor(handles[by % handles.length] ?? '')(bio));
    }
    expect((written - left) / written).toBeLessThanOrEqual(0.02);
  });

  it('is looked for at once among letters that are affixes in many ways', () => {
    const text = `${'x'.repeat(300)}bquill`;
    expect(cleanerFor('quill')(text)).toBe(text);
  });

  it('is gone from longer words when it is long itself, but not from its inflections', () => {
    const clean = cleanerFor('designer', 'jon_brecht', 'mila_orv');
    expect(clean('jonbrechtphoto by getJonBrecht, jon_brecht_writes_code, milaorvdesign')).toBe('by,,');
    expect(cleanerFor('kai')('K.A.I or k-a-i, not Kaiser')).toBe('or, not Kaiser');
    expect(clean('Ten designers of ASP.NET pages')).toBe('Ten designers of ASP.NET pages');
  });

  it('is asked again of a cleaned text without another answer', () => {
    for (const { handle, form } of canaries) {
      const clean = cleanerFor(handle);
      expect(clean(clean(`So ${form}, and more`))).toBe(clean(`So ${form}, and more`));
    }
  });
});

const DOES = [
  'Founder building developer tools in Node.js and Next.js',
  'B.Sc. in physics, Ph.D. in statistics, now in machine learning',
  'I write about startups, e.g. pricing, hiring and growth',
  'Designer of interfaces; I love type, grids and the 8 px rule',
  'Engineering manager, ex-bank, building teams of 5 to 50',
  'Making Telegram bots and Discord communities for indie hackers',
  'Data notes: SQL, dbt, Spark 3.5 and dashboards people read',
  'Growth marketing for B2B SaaS at $1M to $10M ARR',
  'Cooking, wine, and the best bread in Lyon! Bonjour : je cuisine',
  'Sharing what I learn on YouTube, LinkedIn and GitHub every week',
  'Ich schreibe über Technik, Bildung und das Leben in Köln',
  'Cuento historias de viajes, comida y música. Vivo en Sevilla',
  'Teaching kids to code with Scratch and Python since 2014',
  'Security engineer. Signal processing by day, Matrix fan by night',
  'Open source maintainer: databases, compilers, and C++ at night',
  'Investor in 40+ companies. Mostly AI, climate and health',
  'Product at a fintech. Formerly consulting in the U.S. and the U.K.',
  'Mum of two, runner, and reader of one book a week',
  'Photographer in Tokyo 📷 mostly film, 35 mm and 120',
  'ASP and F# developer, v2.0 of my side project is out',
];
const BESIDE = [
  'Opinions are mine, not financial advice',
  'Newsletter every Monday, 12k readers',
  'DMs open for questions about the craft',
  'He/him, 📍 Berlin, coffee at 7 a.m',
  'Building in public, day 214 of 365',
  'Email marketing nerd and Instagram Reels coach',
  'Stay curious... and be kind',
  'Sometimes I tweet about cats, chess and 3D printing',
  'Work in progress; help me get it right',
  'Speaker on stage at events in 14 countries',
];
