import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildIndex } from './build-index.js';
import { search } from './search.js';
import type { SearchedSkill } from './searched-skill.js';

const minutes = { slug: 'meeting-notes', description: 'Turn a transcript of a meeting into minutes. Use for "write up our call". Not for summaries of reports.' };
const briefing = { slug: 'briefing-memo', description: 'Condense a report into one page. Use for "brief me". Not for minutes of a meeting.' };
const german = { slug: 'rechnungen', description: 'Prüft Rechnungen auf fehlende Pflichtangaben und falsche Beträge. Für Buchhaltung und Einkauf.' };
const french = { slug: 'contrats', description: 'Relit les contrats et signale les clauses dangereuses. Pour les juristes et les acheteurs.' };
const spanish = { slug: 'facturas', description: 'Revisa las facturas de los proveedores y avisa de los errores. Para contables.' };
const italian = { slug: 'verbali', description: 'Scrive i verbali delle riunioni con le decisioni e le scadenze. Per chi ha una registrazione.' };
const portuguese = { slug: 'relatorios', description: 'Escreve os relatórios das vendas com os números do mês. Para não errar as somas.' };
const dutch = { slug: 'vergaderingen', description: 'Maakt een verslag van de vergaderingen met de besluiten en de taken voor het team.' };
const russian = { slug: 'protokol', description: 'Составляет протоколы встреч с решениями и сроками. Для тех, у кого есть запись.' };
const chinese = { slug: 'zh-contract', description: '审查合同条款，找出风险。用于采购合同。' };
const japanese = { slug: 'ja-gijiroku', description: '会議の議事録を作成します。' };
const korean = { slug: 'ko-invoice', description: '청구서를 검토하고 오류를 찾습니다.' };
const house = [minutes, briefing, german, french, spanish, italian, portuguese, dutch, russian, chinese, japanese, korean];

const slugs = (skills: readonly SearchedSkill[], query: string, limit = 3) => search(buildIndex(skills), query, limit).map(({ slug }) => slug);

describe('search', () => {
  it.each([
    ['another form of an English word', 'our meetings', 'meeting-notes'],
    ['a German plural with an umlaut', 'Welche Rechnung hat einen falschen Betrag?', 'rechnungen'],
    ['a German word without its umlaut', 'Rechnungen prufen', 'rechnungen'],
    ['a French singular', 'une clause dangereuse dans ce contrat', 'contrats'],
    ['a Spanish singular', 'un error en la factura', 'facturas'],
    ['an Italian singular', 'la riunione', 'verbali'],
    ['a Portuguese word without its accent', 'relatorio de vendas', 'relatorios'],
    ['a Dutch singular', 'de vergadering', 'vergaderingen'],
    ['a Russian case', 'протокол встречи', 'protokol'],
    ['Chinese without blanks', '请检查这份合同', 'zh-contract'],
    ['one Chinese character', '险', 'zh-contract'],
    ['Japanese inside a sentence', '昨日の会議の議事録をお願い', 'ja-gijiroku'],
    ['Korean with another particle', '청구서의 오류', 'ko-invoice'],
    ['capitals and full-width letters', 'ＭＥＥＴＩＮＧ', 'meeting-notes'],
  ])('finds %s', (_what, query, slug) => {
    expect(slugs(house, query)[0]).toBe(slug);
  });

  it('does not find a skill by what its description says it is not for', () => {
    expect(slugs(house, 'minutes')).toEqual(['meeting-notes']);
  });

  it('ranks the name above the description, and the description above the body', () => {
    const skills = [
      { slug: 'plain', description: 'Does something else.', body: 'An invoice may come along.' },
      { slug: 'ledger', description: 'Check an invoice.' },
      { slug: 'invoice', description: 'Check a bill.' },
    ];
    expect(slugs(skills, 'invoice')).toEqual(['invoice', 'ledger', 'plain']);
  });

  it('ranks a rare word above a common one', () => {
    const skills = ['alpha', 'beta', 'gamma'].map((slug) => ({ slug, description: 'Work with a report.' }));
    expect(slugs([...skills, { slug: 'delta', description: 'Forecast sales.' }], 'forecast report')[0]).toBe('delta');
  });

  it('says which words of the query it found, as they were written', () => {
    const [hit] = search(buildIndex(house), 'transcripts of the meetings, please', 1);
    expect(hit).toEqual({ slug: 'meeting-notes', score: expect.any(Number), why: ['transcripts', 'meetings'] });
  });

  it.each([
    ['an empty query', ''],
    ['stop words', 'the of and with'],
    ['marks', '?!… --'],
    ['a word that no skill has', 'zebra'],
  ])('finds nothing for %s', (_what, query) => {
    expect(search(buildIndex(house), query, 5)).toEqual([]);
  });

  it('keeps to the limit, and to nothing when that is 0', () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ slug: `memo-${String(n).padStart(2, '0')}`, description: 'Write a memo.' }));
    expect(slugs(many, 'memo', 3)).toEqual(['memo-00', 'memo-01', 'memo-02']);
    expect(slugs(many, 'memo', 0)).toEqual([]);
  });

  it('finds nothing in an index of nothing', () => {
    expect(search(buildIndex([]), 'memo', 3)).toEqual([]);
  });

  it('takes the first of two skills with one slug', () => {
    const twice = [minutes, { ...minutes, description: 'Zebra.' }];
    expect([slugs(twice, 'transcript'), slugs(twice, 'zebra')]).toEqual([['meeting-notes'], []]);
  });

  it('answers a question the same way after any other question', () => {
    const index = buildIndex(house);
    const alone = search(index, 'meeting minutes', 5);
    search(index, 'report of the meeting', 1);
    search(index, 'memo', 0);
    expect(search(index, 'meeting minutes', 5)).toEqual(alone);
  });
});

describe('for every catalog and query', () => {
  const word = fc.constantFrom('report', 'reports', 'meeting', 'Rechnung', 'the', 'contrat', '合同', 'протокол', 'q3', 'file_name', "it's");
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
  const skill = fc.record({ slug: fc.constantFrom('a', 'b', 'c-report', 'd'), description: text, body: text });
  const catalogs = fc.uniqueArray(skill, { selector: ({ slug }) => slug, maxLength: 4 });

  it('the order in which skills come changes nothing', () => {
    fc.assert(
      fc.property(catalogs, text, (skills, query) => {
        expect(search(buildIndex([...skills].reverse()), query, 9)).toEqual(search(buildIndex(skills), query, 9));
      }),
    );
  });

  it('hits fall in score, are above nothing, and each has a reason', () => {
    fc.assert(
      fc.property(catalogs, text, (skills, query) => {
        const hits = search(buildIndex(skills), query, 9);
        expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
        for (const { score, why } of hits) expect([score > 0, why.length > 0]).toEqual([true, true]);
      }),
    );
  });

  it('a shorter answer is the beginning of a longer one', () => {
    fc.assert(
      fc.property(catalogs, text, fc.integer({ min: 0, max: 4 }), (skills, query, limit) => {
        expect(search(buildIndex(skills), query, limit)).toEqual(search(buildIndex(skills), query, 9).slice(0, limit));
      }),
    );
  });

  it('any text can be asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (query) => {
        expect(() => search(buildIndex(house), query, 3)).not.toThrow();
      }),
    );
  });
});
