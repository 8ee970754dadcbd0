import type { Cue } from '../captions/caption-file';
import { sanitizeCueText } from '../captions/cue-text';

/** A passage of recognised speech without a pause. */
export interface Utterance {
  /** Milliseconds from the beginning of the video. */
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Words with their start times; empty if the recogniser does not report them. */
  readonly words: readonly { readonly text: string; readonly startMs: number }[];
}

interface Word {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Whether a space separates the word from the previous one. */
  readonly hasSpace: boolean;
}

/** Limits for subtitles that broadcasters recommend: letters of a line, lines of a cue, and its duration. */
export const cueLimits = { lineLength: 42, lines: 2, maxMs: 7_000, minMs: 1_000 } as const;
/** Pattern of a word that ends a sentence. */
const sentenceEnd = /[.!?…。！？]["'”’»)]*$/;

/**
 * Creates the subtitles of recognised speech. Each cue fits on the screen. It is shown while it is spoken, at least a second
 * unless the next cue starts, and at most `cueLimits.maxMs`.
 */
export function createSpeechCues(utterances: readonly Utterance[]): Cue[] {
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
    const text = breakLines(words).map(escapeMarkup).join('\n');
    return { startMs: Math.round(startMs), endMs: Math.round(endMs), settings: '', text };
  });
}

/** Replaces angle brackets, because recognised text has no markup: text that looks like a tag must be visible. */
const escapeMarkup = (text: string): string =>
  sanitizeCueText(text.replaceAll('<', '‹').replaceAll('>', '›'));

function wordsOf({ text, words, startMs, endMs }: Utterance): Word[] {
  if (words.length === 0) return timeWords(text, startMs, endMs);
  return words.flatMap((word, index) => {
    const wordEndMs = Math.max(word.startMs, Math.min(words[index + 1]?.startMs ?? endMs, endMs));
    return timeWords(word.text, word.startMs, wordEndMs);
  });
}

/** Splits a text into words, each with a duration in proportion to its number of letters. */
function timeWords(text: string, startMs: number, endMs: number): Word[] {
  const pieces = text.split(/\s+/).filter(Boolean).flatMap(splitWord);
  const letters = pieces.reduce((sum, { text: piece }) => sum + piece.length, 0);
  const msPerLetter = (endMs - startMs) / Math.max(letters, 1);
  let wordStartMs = startMs;
  return pieces.map((piece) => {
    const word = { ...piece, startMs: wordStartMs, endMs: wordStartMs + piece.text.length * msPerLetter };
    wordStartMs = word.endMs;
    return word;
  });
}

/**
 * Splits a word that is longer than half a line into pieces of at most a quarter of a line, because text in scripts without
 * spaces can be broken between any two letters.
 */
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

/** Groups the words that are shown in one cue. */
function groupWords(words: readonly Word[]): Word[][] {
  const groups: Word[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    if (group && fitsIntoGroup(group, word)) group.push(word);
    else groups.push([word]);
  }
  return groups;
}

function fitsIntoGroup(group: readonly Word[], word: Word): boolean {
  const [firstWord, lastWord] = [group[0], group.at(-1)];
  if (!firstWord || !lastWord) return false;
  if (word.endMs - firstWord.startMs > cueLimits.maxMs) return false;
  const endsSentence =
    sentenceEnd.test(lastWord.text) && lastWord.endMs - firstWord.startMs >= cueLimits.minMs;
  return !endsSentence && breakLines([...group, word]).length <= cueLimits.lines;
}

function breakLines(words: readonly Word[]): string[] {
  const lines: string[] = [];
  for (const { text, hasSpace } of words) {
    const line = lines.at(-1);
    const extendedLine = line === undefined ? text : `${line}${hasSpace ? ' ' : ''}${text}`;
    if (line !== undefined && extendedLine.length <= cueLimits.lineLength)
      lines[lines.length - 1] = extendedLine;
    else lines.push(text);
  }
  return lines;
}
