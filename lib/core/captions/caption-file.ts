import { MINUTE_MS, HOUR_MS } from '@/lib/core/units';
import type { Chapter } from '../assets/chapters';
import { convertFileChapters } from '../assets/file-chapters';
import { plainCueText, sanitizeCueText } from './cue-text';

/** A caption and its time span. */
export interface Cue {
  /** Milliseconds from the beginning of the video. */
  readonly startMs: number;
  readonly endMs: number;
  /** WebVTT cue settings, such as `line:0 align:start`; empty if the player places the cue. */
  readonly settings: string;
  /** WebVTT cue payload: escaped, without blank lines. */
  readonly text: string;
}

export const captionLimits = { characters: 500_000, cues: 20_000 } as const;

/** `ends_early`: no cue ends after it starts. */
type CaptionProblem = 'no_cues' | 'bad_time' | 'ends_early' | 'too_many';

/**
 * The cues in order, or the first unreadable line (from 1) and its problem. `skipped`: lines of cues that do not end after
 * they start.
 */
export type CaptionFile =
  | { readonly cues: readonly Cue[]; readonly skipped?: readonly number[] }
  | { readonly line: number; readonly problem: CaptionProblem };

/** Pattern of a time in a file: hours, which may be absent, minutes, seconds and a fraction. */
const timePattern = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const timingPattern = new RegExp(String.raw`^\s*${timePattern}\s*-->\s*${timePattern}(?:\s+(.*))?$`);
/** Pattern of the first line of a WebVTT block that is not a cue. */
const otherBlockPattern = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;
/** Pattern of a valid cue setting (W3C WebVTT). */
const settingPattern =
  /^(?:vertical:(?:rl|lr)|line:-?\d{1,4}(?:\.\d{1,4})?%?(?:,(?:start|center|end))?|position:\d{1,3}(?:\.\d{1,4})?%(?:,(?:line-left|center|line-right))?|size:\d{1,3}(?:\.\d{1,4})?%|align:(?:start|center|end|left|right))$/;

/**
 * Parses a WebVTT file (W3C; it begins with `WEBVTT`) or a SubRip file (SRT). Numbers and names of cues, comments, styles
 * and markup that WebVTT does not have are dropped. A cue without text or without a duration is left out.
 */
export function parseCaptionFile(file: string): CaptionFile {
  // Control characters are no text, and some of them end the file in players.
  const lines = file
    .replace(/^\uFEFF/, '')
    .replaceAll(/[\0-\x08\x0B\x0E-\x1F\x7F]/g, '')
    .split(/\r\n|[\r\n\f]/);
  const cues: Cue[] = [];
  const reversedCueLines: number[] = [];
  let index = lines[0]?.startsWith('WEBVTT') === true ? findNextBlankLine(lines, 0) : 0;
  while (index < lines.length) {
    const line = lines[index] ?? '';
    if (otherBlockPattern.test(line)) index = findNextBlankLine(lines, index);
    else if (!line.includes('-->')) index += 1;
    else {
      const blockEnd = findNextBlankLine(lines, index + 1);
      const cue = parseCue(line, lines.slice(index + 1, blockEnd));
      if (cue === 'bad_time') return { line: index + 1, problem: cue };
      if (cue.endMs <= cue.startMs) reversedCueLines.push(index + 1);
      else if (cue.text !== '') cues.push(cue);
      if (cues.length > captionLimits.cues) return { line: index + 1, problem: 'too_many' };
      index = blockEnd;
    }
  }
  if (cues.length === 0)
    return reversedCueLines.length === 0
      ? { line: 1, problem: 'no_cues' }
      : { line: reversedCueLines[0] ?? 1, problem: 'ends_early' };
  // WebVTT requires cues in order of their start times.
  const sortedCues = cues.sort((a, b) => a.startMs - b.startMs);
  return reversedCueLines.length === 0
    ? { cues: sortedCues }
    : { cues: sortedCues, skipped: reversedCueLines };
}

function findNextBlankLine(lines: readonly string[], fromIndex: number): number {
  const blankIndex = lines.findIndex((line, index) => index >= fromIndex && line.trim() === '');
  return blankIndex < 0 ? lines.length : blankIndex;
}

function parseCue(timingLine: string, textLines: readonly string[]): Cue | 'bad_time' {
  const timingMatch = timingPattern.exec(timingLine);
  if (!timingMatch) return 'bad_time';
  const [startMs, endMs] = [
    parseMilliseconds(timingMatch.slice(1, 5)),
    parseMilliseconds(timingMatch.slice(5, 9)),
  ];
  if (startMs === null || endMs === null) return 'bad_time';
  const settings = (timingMatch[9] ?? '').split(/\s+/).filter((part) => settingPattern.test(part));
  const text = sanitizeCueText(textLines.join('\n'))
    .split('\n')
    .map((textLine) => textLine.trim())
    .filter((textLine) => textLine !== '')
    .join('\n');
  return { startMs, endMs, settings: settings.join(' '), text };
}

function parseMilliseconds([hours = '0', minutes, seconds, fraction = '']: readonly (string | undefined)[]) {
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  return (
    Number(hours) * HOUR_MS +
    Number(minutes) * 60_000 +
    Number(seconds) * 1_000 +
    Number(fraction.padEnd(3, '0'))
  );
}

/** The cues as the text of a WebVTT file. */
export function formatWebVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(
    ({ startMs, endMs, settings, text }) =>
      `${formatTimecode(startMs)} --> ${formatTimecode(endMs)}${settings && ` ${settings}`}\n${text}\n`,
  );
  return ['WEBVTT\n', ...blocks].join('\n');
}

function formatTimecode(ms: number): string {
  const pad = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const fraction = String(ms % 1_000).padStart(3, '0');
  return `${pad(ms / HOUR_MS)}:${pad((ms / MINUTE_MS) % 60)}:${pad((ms / 1_000) % 60)}.${fraction}`;
}

/**
 * Converts the cues of a chapter file to chapters.
 * @param durationSeconds duration of the video; null if unknown
 */
export const parseChapterCues = (cues: readonly Cue[], durationSeconds: number | null): readonly Chapter[] =>
  convertFileChapters(
    cues.map(({ startMs, text }) => ({
      start_time: String(startMs / 1_000),
      tags: { title: plainCueText(text) },
    })),
    durationSeconds ?? Infinity,
  );
