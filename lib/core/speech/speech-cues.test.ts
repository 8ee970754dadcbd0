import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCaptionFile, formatWebVtt } from '../captions/caption-file';
import { cueLimits, createSpeechCues, type Utterance } from './speech-cues';

const createUtterance = (startMs: number, endMs: number, text: string): Utterance => ({
  startMs,
  endMs,
  text,
  words: [],
});

test('a short sentence is one cue, as long as it is spoken', () => {
  expect(createSpeechCues([createUtterance(1_000, 3_000, 'Good evening and welcome.')])).toEqual([
    { startMs: 1_000, endMs: 3_000, settings: '', text: 'Good evening and welcome.' },
  ]);
});

test('cues end with sentences, and lines have at most 42 letters', () => {
  const text =
    'Good evening and welcome to the town hall. Tonight we speak about the river, the bridge and what both of them cost.';
  expect(createSpeechCues([createUtterance(0, 10_000, text)]).map((cue) => cue.text)).toEqual([
    'Good evening and welcome to the town hall.',
    'Tonight we speak about the river, the\nbridge and what both of them cost.',
  ]);
});

test('cues have the times of their words, and a short cue stays for a second', () => {
  const words = [
    { text: 'HELLO', startMs: 500 },
    { text: 'WORLD', startMs: 900 },
  ];
  const cues = createSpeechCues([
    { startMs: 400, endMs: 1_300, text: 'HELLO WORLD', words },
    { startMs: 6_000, endMs: 6_400, text: 'AGAIN', words: [{ text: 'AGAIN', startMs: 6_100 }] },
  ]);
  expect(cues.map(({ startMs, endMs, text }) => [startMs, endMs, text])).toEqual([
    [500, 1_500, 'HELLO WORLD'],
    [6_100, 7_100, 'AGAIN'],
  ]);
});

test('text that looks like markup is shown as text', () => {
  const [cue] = createSpeechCues([createUtterance(0, 2_000, 'a <b> & c --> d')]);
  expect(cue?.text).toBe('a ‹b› &amp; c --› d');
});

test('the cues of any speech are readable and do not overlap', () => {
  const utterance = fc.record({
    gap: fc.integer({ min: 0, max: 5_000 }),
    length: fc.integer({ min: 1, max: 20_000 }),
    text: fc.oneof(
      fc
        .array(fc.constantFrom('a', 'river', 'Donaudampfschifffahrtsgesellschaft', 'x.', '<i>'), {
          maxLength: 60,
        })
        .map((values) => values.join(' ')),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
      fc.string({ unit: fc.constantFrom('晩', '上', '好', '。'), maxLength: 300 }),
    ),
  });
  fc.assert(
    fc.property(fc.array(utterance, { maxLength: 8 }), (values) => {
      let endOfSpeechMs = 0;
      const utterances = values.map(({ gap, length, text }) => {
        const startMs = endOfSpeechMs + gap;
        endOfSpeechMs = startMs + length;
        return createUtterance(startMs, endOfSpeechMs, text);
      });
      const cues = createSpeechCues(utterances);
      for (const [index, { startMs, endMs, text }] of cues.entries()) {
        expect(endMs - startMs).toBeLessThanOrEqual(cueLimits.maxMs + 1);
        expect(endMs).toBeLessThanOrEqual(Math.max(cues[index + 1]?.startMs ?? Infinity, startMs + 2));
        const lines = text.replaceAll(/&(amp|lt|gt);/g, '&').split('\n');
        expect(lines.length).toBeLessThanOrEqual(cueLimits.lines);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(cueLimits.lineLength);
      }
      const visibleCues = cues.filter((cue) => cue.endMs > cue.startMs && cue.text !== '');
      if (visibleCues.length > 0) expect('cues' in parseCaptionFile(formatWebVtt(cues))).toBe(true);
    }),
  );
});
