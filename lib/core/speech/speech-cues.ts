import type { Cue } from '../captions/caption-file';
import { safeCueText } from '../captions/cue-text';

/** A passage of speech without a pause. */
export interface Utterance {
  /** Milliseconds from the beginning of the video. */
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Start time of each word; empty if the recogniser reports none. */
  readonly words: readonly { readonly text: string; readonly startMs: number }[];
}

interface Word {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Whether a space separates the word from the previous one. */
  readonly hasSpace: boolean;
}

/** Reading speed and line limits recommended by broadcasters. */
export const cueLimits = { lineLength: 42, lines: 2, maxMs: 7_000, minMs: 1_000 } as const;
const sentenceEnd = /[.!?…。！？]["'”’»)]*$/;

/** Subtitles of speech: each fits on the screen and stays as long as it is spoken. */
export function cuesOfSpeech(utterances: readonly Utterance[]): Cue[] {
  const groups = utterances.flatMap((utterance) => groupWords(wordsOf(utterance)));
  return groups.map((words, index) => {
    const startMs = words[0]?.startMs ?? 0;
    const spokenMs = words.at(-1)?.endMs ?? startMs;
    const nextMs = groups[index + 1]?.[0]?.startMs ?? Infinity;
    const endMs = Math.min(
      Math.max(spokenMs, startMs + cueLimits.minMs),
      Math.max(nextMs, startMs + 1),
      startMs + cueLimits.maxMs,
    );
    const text = linesOf(words).map(plainText).join('\n');
    return { startMs: Math.round(startMs), endMs: Math.round(endMs), settings: '', text };
  });
}

/** Recognised text has no markup: text that looks like a tag is shown. */
const plainText = (text: string): string => safeCueText(text.replaceAll('<', '‹').replaceAll('>', '›'));

function wordsOf({ text, words, startMs, endMs }: Utterance): Word[] {
  if (words.length === 0) return timeWords(text, startMs, endMs);
  return words.flatMap((word, index) => {
    const end = Math.max(word.startMs, Math.min(words[index + 1]?.startMs ?? endMs, endMs));
    return timeWords(word.text, word.startMs, end);
  });
}

/** The words of a text, each with a duration in proportion to its letters. */
function timeWords(text: string, startMs: number, endMs: number): Word[] {
  const pieces = text.split(/\s+/).filter(Boolean).flatMap(splitWord);
  const letters = pieces.reduce((sum, { text: piece }) => sum + piece.length, 0);
  const perLetter = (endMs - startMs) / Math.max(letters, 1);
  let at = startMs;
  return pieces.map((piece) => {
    const word = { ...piece, startMs: at, endMs: at + piece.text.length * perLetter };
    at = word.endMs;
    return word;
  });
}

/** Scripts without spaces can be broken between any two letters. */
function splitWord(text: string): Pick<Word, 'text' | 'hasSpace'>[] {
  if (text.length <= cueLimits.lineLength / 2) return [{ text, hasSpace: true }];
  const letters = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)];
  const pieces: Pick<Word, 'text' | 'hasSpace'>[] = [];
  for (const { segment } of letters) {
    const last = pieces.at(-1);
    if (!last || last.text.length + segment.length > cueLimits.lineLength / 4)
      pieces.push({ text: segment, hasSpace: pieces.length === 0 });
    else pieces[pieces.length - 1] = { ...last, text: last.text + segment };
  }
  return pieces;
}

/** Words that are shown together. */
function groupWords(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (group && belongsTo(group, word)) group.push(word);
    else groups.push([word]);
  }
  return groups;
}

function belongsTo(group: readonly Word[], word: Word): boolean {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return false;
  if (word.endMs - first.startMs > cueLimits.maxMs) return false;
  const ends = sentenceEnd.test(last.text) && last.endMs - first.startMs >= cueLimits.minMs;
  return !ends && linesOf([...group, word]).length <= cueLimits.lines;
}

function linesOf(words: readonly Word[]): string[] {
  const lines: string[] = [];
  for (const { text, hasSpace } of words) {
    const line = lines.at(-1);
    const longer = line === undefined ? text : `${line}${hasSpace ? ' ' : ''}${text}`;
    if (line !== undefined && longer.length <= cueLimits.lineLength) lines[lines.length - 1] = longer;
    else lines.push(text);
  }
  return lines;
}
