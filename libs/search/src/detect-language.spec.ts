import { describe, expect, it } from '@jest/globals';
import { detectLanguage } from './detect-language.js';
import { splitDescription } from './split-description.js';

describe('the language of a text', () => {
  it.each([
    ['en', 'Turn the notes of a call into minutes that say who does what.'],
    ['de', 'Aus den Notizen einer Besprechung wird ein Protokoll, das sagt, wer was bis wann tut.'],
    ['fr', "Transforme les notes d'une réunion en un compte rendu qui dit qui fait quoi."],
    ['es', 'Convierte las notas de una reunión en un acta que dice quién hace qué.'],
    ['it', 'Trasforma gli appunti di una riunione in un verbale che dice chi fa che cosa.'],
    ['pt', 'Transforma as notas de uma reunião em uma ata que diz quem faz o quê.'],
    ['nl', 'Maakt van de aantekeningen van een vergadering een verslag dat zegt wie wat doet.'],
    ['ru', 'Превращает заметки о встрече в протокол: кто, что и когда делает.'],
    ['any', '会議の議事録を作成します。'],
    ['any', 'Γράφει τα πρακτικά μιας συνάντησης.'],
    ['en', 'Slack'],
    ['en', ''],
  ])('%s: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });
});

describe('a description', () => {
  it('falls into what, when and what not', () => {
    expect(splitDescription('Condense a report (v1.5 or later). Use for "brief me". Not for minutes. Keeps numbers exact.')).toEqual({
      what: 'Condense a report (v1.5 or later). Keeps numbers exact.',
      when: 'Use for "brief me".',
      not: 'Not for minutes.',
    });
  });

  it.each([
    ['German', 'Schreibt Protokolle. Für Besprechungen. Nicht für Zusammenfassungen.'],
    ['French', 'Rédige un compte rendu. Pour les réunions. Pas pour les résumés.'],
    ['Russian', 'Пишет протоколы. Для встреч. Не для обзоров.'],
  ])('in %s too', (_language, description) => {
    const [what, when, not] = description.split(/(?<=\.) /);
    expect(splitDescription(description)).toEqual({ what, when, not });
  });

  it('knows a first word only as a whole: "Notes" is not "not", "Format" not "for"', () => {
    expect(splitDescription('Notes become minutes. Formats tables.')).toMatchObject({ what: 'Notes become minutes. Formats tables.', not: '' });
  });
});
