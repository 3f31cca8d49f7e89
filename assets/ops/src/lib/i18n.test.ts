import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fill } from './i18n.svelte';

const SOURCES = join(import.meta.dirname, '..');

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(svelte|ts)$/.test(name) && !name.includes('.test.') && !name.endsWith('.d.ts'));
const sources = files.map((name) => ({ name, text: withoutComments(readFileSync(join(SOURCES, name), 'utf8')) }));

/** An example in a comment says nothing: of what it names there need be no sentence. */
function withoutComments(text: string): string {
  return text.replace(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replace(/^\s*\/\/.*$/gm, '').replace(/<!--[\s\S]*?-->/g, '');
}

/** The sentences of a language by their keys, each with the room that it is said in. */
function catalogue(language: 'ko' | 'en'): Map<string, { room: string; text: string }> {
  const found = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const [, section] = /([\w-]+)\/messages\.json$/.exec(name) ?? [];
    if (!section) return [];
    const rooms = JSON.parse(readFileSync(join(SOURCES, name), 'utf8')) as Record<string, Record<string, [string, string]>>;
    return Object.entries(rooms).flatMap(([room, sentences]) => Object.entries(sentences)
      .map(([key, [ko, en]]) => [`${section}.${key}`, { room: room === 'pages' ? section : room, text: language === 'ko' ? ko : en }] as const));
  });
  const keys = found.map(([key]) => key);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index), 'one key for two sentences').toEqual([]);
  return new Map(found);
}

const korean = catalogue('ko');
const english = catalogue('en');
const areas = [...new Set([...korean.keys()].map((key) => key.split('.')[0]!))];
// A name with a capital behind its point is no key but a shape of the server's.
const keyPattern = new RegExp(`['"\`]((?:${areas.join('|')})\\.[a-z0-9_][A-Za-z0-9_.]*)['"\`]`, 'g');
const prefixPattern = new RegExp(`\`((?:${areas.join('|')})\\.[A-Za-z0-9_.]*)\\$\\{`, 'g');

describe('the two catalogues', () => {
  test('have the same keys', () => {
    expect([...english.keys()].sort()).toEqual([...korean.keys()].sort());
  });

  test('use the same placeholders in every sentence', () => {
    const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
    for (const [key, { text }] of korean) expect({ key, names: names(english.get(key)?.text ?? '') }).toEqual({ key, names: names(text) });
  });

  test('count the least among what is enough', () => {
    const beyond = [...korean].filter(([, { text }]) => /\{least\}\S* ?(넘|초과)/.test(text)).map(([key]) => key);
    expect(beyond).toEqual([]);
  });

  test('say of a prize that several won that each won it', () => {
    for (const key of ['lottery.today.first', 'lottery.latest.first']) {
      expect(korean.get(key)?.text).toContain('게임당 {');
      expect(fill(english.get(key)?.text ?? '', { count: 10, prize: '₩3.01 billion', won: '₩3.01 billion' })).toBe('10 first prizes, ₩3.01 billion each');
    }
  });

  test('have a sentence for every key that the sources name', () => {
    const missing = sources.flatMap(({ name, text }) =>
      [...text.matchAll(keyPattern)].map(([, key]) => key!).filter((key) => !korean.has(key)).map((key) => `${name}: ${key}`));
    expect(missing).toEqual([]);
  });

  test('have no sentence that no source names', () => {
    const named = new Set(sources.flatMap(({ text }) => [...text.matchAll(keyPattern)].map(([, key]) => key!)));
    const prefixes = sources.flatMap(({ text }) => [...text.matchAll(prefixPattern)].map(([, prefix]) => prefix!));
    // The server says by itself which of the sentences it has: a test of its own finds those that nobody says.
    const unused = [...korean.keys()].filter((key) => !['said', 'refused', 'work'].includes(korean.get(key)?.room ?? '')).filter((key) => !named.has(key) && !prefixes.some((prefix) => key.startsWith(prefix)));
    expect(unused).toEqual([]);
  });

  test('are said by their own section and by no other', () => {
    const foreign = sources.flatMap(({ name, text }) => {
      const own = /^pages\/([\w-]+)\//.exec(name)?.[1];
      return keysIn(text).filter((key) => !key.startsWith('shell.') && !key.startsWith(`${own}.`)).map((key) => `${name}: ${key}`);
    });
    expect(foreign).toEqual([]);
  });

  test('are loaded where they are said: in the room of the page, or everywhere', () => {
    const own = sources.flatMap(({ name, text }) => [...text.matchAll(/saying\('([\w-]+)', import\('(\.[^']+)'\)\)/g)]
      .map(([, room, path]) => ({ room, files: filesBehind(resolved(name, path!)) })));
    // What the shared parts say brings its room along (`part-message.ts`).
    const isBrought = (name: string, key: string) => korean.get(key)?.room === 'parts' && !textOf(name).includes(` t('${key}'`) && !textOf(name).includes(`{t('${key}'`);
    const silent = roots().flatMap(({ room, file }) => [...filesBehind(file)].flatMap((name) =>
      keysIn(paintedBy(name)).flatMap(keysOf).filter((key) => ![room, 'shell'].includes(korean.get(key)?.room ?? room))
        .filter((key) => !isBrought(name, key) && !own.some((brought) => brought.room === korean.get(key)?.room && brought.files.has(name)))
        .map((key) => `${name}, shown in ${room}: ${key}`)));
    expect(silent).toEqual([]);
  });

  test('begin alike wherever something has the same status, and call it the same', () => {
    for (const catalogue of [korean, english]) {
      for (const status of ['waiting', 'sending', 'sent', 'failed']) {
        expect(catalogue.get(`system.mail.status.${status}`)?.text).toBe(catalogue.get(`system.chat.status.${status}`)?.text);
      }
    }
    // The same sentence in one language is the same in the other, where it names one thing on two pages.
    for (const [one, other] of [['lottery.performance.back', 'lottery.money.rate'], ['lottery.action.scan', 'lottery.ticket.scan'], ['lottery.ticket_known', 'lottery.ticket.written'], ['shell.setup.title', 'system.first.passphrase'], ['shell.setup.differs', 'system.passphrase.differs'], ['house.sent.present', 'system.passphrase.present']]) {
      for (const catalogue of [korean, english]) expect([one, catalogue.get(one!)?.text]).toEqual([one, catalogue.get(other!)?.text]);
    }
  });

  test('leave no Korean in English and no sentence empty', () => {
    for (const [key, { text }] of english) expect(key !== 'shell.action.language' && /[가-힣]/.test(text), key).toBe(false);
    for (const [key, { text }] of [...korean, ...english]) expect(text.trim(), key).not.toBe('');
  });
});

/** The files that the bundle begins with, the pages that each section loads and its part of Today, with the room whose sentences are there. */
function roots(): { room: string; file: string }[] {
  return sources.flatMap(({ name, text }) => {
    if (/^pages\/[\w-]+\/today\.ts$/.test(name)) return [{ room: 'today', file: name }];
    const section = /^pages\/([\w-]+)\/(section\.ts|search\.svelte\.ts)$/.exec(name);
    if (!section) return name.startsWith('pages/') && name !== 'pages/NotFound.svelte' && !name.endsWith('/offers.ts') ? [] : [{ room: 'shell', file: name }];
    const pages = [...text.matchAll(/import\('(\.[^']+)'\)/g)].map(([, path]) => ({ room: section[1]!, file: resolved(name, path!) }));
    return [{ room: name.endsWith('/search.svelte.ts') ? 'windows' : 'shell', file: name }, ...pages];
  });
}

/** The text of a file; of what a section offers without what the windows of the shell alone say: actions, keys, and by which words something is found. */
function paintedBy(file: string): string {
  const text = textOf(file);
  return file.endsWith('/offers.ts') ? text.replace(/\b(?:pageName|words): '[^']+'|\bsearch: \{[^{}]*\}|\binnerWords: \{[^{}]*\}|\{ name: '[^']+'(?=[^{}]*\bicon:)|\{ keys: \[[^\]]*\], name: '[^']+'/g, '') : text;
}

/** A file with everything that it imports. */
function filesBehind(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const statically = /^\s*(?:import|export)\s(?!type\b)(?:[^'"]*?\bfrom\s)?'(\.[^']+)'/gm;
  const later = /\bimport\('(\.[^']+)'\)/g;
  // What a declaration imports later are pages, with rooms of their own.
  for (const [, path] of [statically, ...(file.endsWith('/section.ts') ? [] : [later])].flatMap((pattern) => [...textOf(file).matchAll(pattern)])) {
    const next = resolved(file, path!);
    if (sources.some(({ name }) => name === next)) filesBehind(next, seen);
  }
  return seen;
}

function resolved(from: string, path: string): string {
  const place = join(from, '..', path);
  return ['', '.ts', '.svelte.ts'].map((ending) => place + ending).find((name) => files.includes(name)) ?? place;
}

function textOf(file: string): string {
  return sources.find(({ name }) => name === file)?.text ?? '';
}

/** The keys and the beginnings of keys that a text names. */
function keysIn(text: string): string[] {
  return [...text.matchAll(keyPattern), ...text.matchAll(prefixPattern)].map(([, key]) => key!);
}

/** A key, or all that begin with the beginning of one. */
function keysOf(named: string): string[] {
  return korean.has(named) ? [named] : [...korean.keys()].filter((key) => key.startsWith(named));
}

/** What the server names in its own source: settings with what is said of them, jobs and the entries of the schedule. */
function namedByServer(): { name: string; language: 'ko' | 'en'; text: string }[] {
  const house = join(SOURCES, '..', '..', '..', 'src');
  const rust = (folder: string) => readdirSync(join(house, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.rs') && !/(^|\/)tests?(\.rs|\/)/.test(name)).map((name) => join(folder, name));
  const read = (name: string) => readFileSync(join(house, name), 'utf8');
  const settings = ['sections.rs', 'mail.rs'].map((name) => read(`platform/config/${name}`)).join('').split(/^section! \{$/m).slice(1).map((section) => section.split(/^\}$/m)[0] ?? '');
  const korean = settings.flatMap((section) => [...section.matchAll(/#\[ko\("(.*)"\)\]|pub struct \w+\("\w+", "(.*)"\)/g)].map(([, said, title]) => said ?? title ?? ''));
  const english = settings.flatMap((section) => [...section.matchAll(/#\[en\("(.*)"\)\]|\/\/\/ (.*)/g)].map(([, title, said]) => title ?? said ?? ''));
  const titles = ['ops', 'appliance', 'site'].flatMap(rust).flatMap((name) => [...read(name).matchAll(/(?:\bTITLE: [^=]* =\s*\(|\.titled\(\s*)"([^"]+)",\s*"([^"]+)"/g)]
    .map(([, ko, en]) => ({ name, ko: ko!, en: en! })));
  return [
    ...korean.map((text) => ({ name: 'settings', language: 'ko' as const, text })), ...english.map((text) => ({ name: 'settings', language: 'en' as const, text })),
    ...titles.flatMap(({ name, ko, en }) => [{ name, language: 'ko' as const, text: ko }, { name, language: 'en' as const, text: en }]),
  ];
}

describe('the glossary', () => {
  type Glossary = { ko: string; en: string; means: string; not: Record<'ko' | 'en', string[]> }[];
  const ASSETS = join(SOURCES, '..', '..');
  const GLOSSARY = JSON.parse(readFileSync(join(SOURCES, 'house', 'glossary.json'), 'utf8')) as Glossary;
  /** The customers' words, where they are others than the household's. */
  const OF_THE_SITE = JSON.parse(readFileSync(join(ASSETS, 'site', 'glossary.json'), 'utf8')) as Glossary;

  /** The words of a sentence that were not chosen; values and commands are nobody's choice of words. */
  function notChosen(language: 'ko' | 'en', text: string, glossary = GLOSSARY): string[] {
    const said = text.replace(/`[^`]*`|\{\w+\}|\{\w+\|/g, ' ').replace(/[\w-]+\.(?:toml|json|redb)/g, ' ');
    return glossary.flatMap(({ not }) => not[language]).filter((word) =>
      new RegExp(language === 'en' ? `\\b(?:${word})\\b` : word, 'i').test(said));
  }

  test('has one word for one thing in each language, and no catalogue says it otherwise', () => {
    // The words of an action are what somebody may type who looks for it; no page says them.
    const catalogues = { ko: korean, en: english };
    const otherwise = (['ko', 'en'] as const).flatMap((language) => [...catalogues[language]].filter(([key]) => !key.endsWith('.words')).flatMap(([key, { text }]) =>
      notChosen(language, text).map((word) => `${key} says ${word} in ${language}: ${text}`)));
    expect(otherwise).toEqual([]);
  });

  test('is what the server keeps to, too, in what it names by itself', () => {
    const named = namedByServer();
    // Were one of them not found, nothing would be said of it.
    expect(named.map(({ text }) => text)).toEqual(expect.arrayContaining(['Data folder', 'Full check of store and backups', 'Backup', 'Reminders of todos']));
    expect(named.flatMap(({ name, language, text }) => notChosen(language, text).map((word) => `${name} says ${word} in ${language}: ${text}`))).toEqual([]);
  });

  test('of the site is what its pages, its mails and its program keep to', () => {
    const below = (folder: string, names: RegExp) => readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => names.test(name) && !/(^|\/)tests?(\.rs|\/)/.test(name)).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
    const said = [
      ...below(join(ASSETS, 'site'), /\.(html|md|js|messages\.json)$/),
      ...below(join(ASSETS, 'mail'), /^(account|contact)_.*\.txt$/),
      ...below(join(ASSETS, '..', 'src', 'site'), /\.rs$/),
    ];
    expect(said.map(({ name }) => name)).toEqual(expect.arrayContaining([join('account', 'own.html'), 'contact_moved.ko.txt', join('contact', 'work.rs')]));
    // The program says its English in the language of the contract; what is Korean in it is said to people.
    const otherwise = said.flatMap(({ name, text }) => text.split('\n').flatMap((line) => {
      const languages = name.endsWith('.rs') ? (['ko'] as const) : (['ko', 'en'] as const);
      return languages.flatMap((language) => notChosen(language, line, OF_THE_SITE).map((word) => `${name} says ${word}: ${line.trim()}`));
    }));
    expect(otherwise).toEqual([]);
  });

  test('of the site finds the forms that were given up', () => {
    const found = (text: string) => notChosen('ko', text, OF_THE_SITE).length;
    expect(['새 요청이 왔습니다', '암호를 잊었어요', '첫 쪽으로', '이 쪽에서 보입니다'].map(found)).toEqual([1, 1, 1, 1]);
    expect(['새 의뢰가 왔습니다', '메일 서버와의 암호화', '저희 쪽의 문제입니다', '양쪽', '첫 페이지로'].map(found)).toEqual([0, 0, 0, 0, 0]);
    expect(notChosen('ko', '고객의 요청을 모든 쪽에서')).toEqual(['고객의 요청', '(첫|찾는|모든|저장소의) 쪽']);
  });

  test('finds a word that was not chosen, and no part of another', () => {
    expect(notChosen('en', 'Restore the newest snapshot')).toEqual(['snapshots?']);
    expect(notChosen('en', 'Multitasking, `hanok remove`, {task}')).toEqual([]);
    expect(notChosen('ko', '스냅샷을 저절로 제거합니다')).toEqual(['스냅샷', '제거', '저절로']);
    expect(['hanok 폴더가 제자리에 없습니다', '다른 hanok의 데이터 폴더', '`hanok restore`, hanok.redb'].map((text) => notChosen('ko', text))).toEqual([['hanok 폴더'], [], []]);
  });

  test('chooses no word for two things', () => {
    for (const glossary of [GLOSSARY, OF_THE_SITE]) {
      for (const language of ['ko', 'en'] as const) {
        const words = glossary.flatMap((entry) => entry[language].split(', '));
        expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
        expect(words.filter((word) => notChosen(language, word, glossary).length > 0)).toEqual([]);
      }
    }
  });
});

describe('placeholders', () => {
  test('are replaced by their values', () => {
    expect(fill('{n}회까지 {time}', { n: 1246, time: '1일' })).toBe('1246회까지 1일');
  });

  test('set the thousands of a count apart, and not those of a draw', () => {
    expect(fill('{draw}회 {count,}건, {games,}게임', { draw: 1246, count: 9000, games: '27,000' })).toBe('1246회 9,000건, 27,000게임');
    expect(fill(korean.get('lottery.importing')?.text ?? '', { all: 33_750, done: 9_000, added: 8_999 })).toBe('33,750줄 중 9,000줄 처리, 8,999건 추가');
    expect(fill(english.get('lottery.money.waiting')?.text ?? '', { count: 33_750, won: '₩36,330,000' })).toBe('33,750 games are waiting for a draw or a prize (₩36,330,000)');
  });

  test('set the thousands of a bound apart wherever it counts something', () => {
    const ungrouped = [...english].filter(([, { text }]) => /\{(?:most|length|least)\} (?:and|to|or|characters|bytes|MiB|files|games|tags)\b|\{most\} at most/.test(text)).map(([key]) => key);
    expect(ungrouped).toEqual([]);
    expect(fill(english.get('house.must.length')?.text ?? '', { least: 1, most: 2_000, length: 2_017 })).toBe('must be 1 to 2,000 characters, has 2,017');
  });

  test('choose a form by number', () => {
    const text = '{count} {count|task|tasks}';
    expect([0, 1, 2].map((count) => fill(text, { count }))).toEqual(['0 tasks', '1 task', '2 tasks']);
  });

  test('choose a particle by the last sound of the word before it', () => {
    const said = (text: string, names: (string | number)[]) => names.map((name) => fill(text, { name })).join(', ');
    expect(said('{name}{name|을|를}', ['백업', '메모', '‘서울’', '10월 3일(토)'])).toBe('백업을, 메모를, ‘서울’을, 10월 3일(토)를');
    expect(said('{name}{name|이|가}', [0, 1, 2, 3, 6, 9, '1,000', '12%'])).toBe('0이, 1이, 2가, 3이, 6이, 9가, 1,000이, 12%가');
    expect(said('{name}{name|으로|로}', ['서울', '집', '부엌', '바다', 8, 3, 'URL'])).toBe('서울로, 집으로, 부엌으로, 바다로, 8로, 3으로, URL로');
    expect(said('{name}{name|은|는}', ['hanok', 'Telegram', 'Google', 'Docker', 'Chrome', 'CSV', 'smtp.example.com', 'localhost']))
      .toBe('hanok은, Telegram은, Google은, Docker는, Chrome은, CSV는, smtp.example.com은, localhost는');
    expect(said('{name}{name|과|와} {name}{name|이어야|여야}', ['none', 'tls', '🙂'])).toBe('none과 none이어야, tls와 tls여야, 🙂와 🙂여야');
  });

  test('stay visible when their value is missing', () => {
    expect(fill('hello {who}', {})).toBe('hello {who}');
  });
});

test('sources hold no Korean outside the catalogues, the formats, the reading of days and the language names', () => {
  const allowed = /(^|\/)(format|particles|search|when|draw-word|todos\/(day-names|due|half-read|repeats|times))\.ts$/;
  const found = sources.filter(({ name, text }) => !allowed.test(name) && /[가-힣]/.test(text.replaceAll('한국어', '')));
  expect(found.map(({ name }) => name)).toEqual([]);
});
