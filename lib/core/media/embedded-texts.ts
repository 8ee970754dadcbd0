import { languageName, canonicalizeLanguageTag } from '../captions/track-language';
import type { ProbeReport, ProbedStream } from './media-probe';

/** A text subtitle track of a file. */
export interface EmbeddedSubtitles {
  /** Index of the track in the file. */
  readonly index: number;
  readonly kind: 'subtitles' | 'captions';
  /** BCP 47 tag; `und` if the file names no language. */
  readonly language: string;
  readonly label: string;
  readonly isDefault: boolean;
}

/**
 * ffmpeg's names of text subtitle codecs. Subtitles of discs and television are pictures, which can't be
 * converted to text.
 */
const textCodecs = ['mov_text', 'text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt'];
/** Maximum number of subtitle tracks that are read from a file. */
const MAX_TRACKS = 20;
const MAX_LABEL_LENGTH = 100;

/**
 * The text subtitle tracks of a file, in their order. Forced subtitles, which belong to one audio language, are left out. At
 * most one track is the default, and none for the hearing impaired.
 */
export function findEmbeddedSubtitles({ streams }: ProbeReport): EmbeddedSubtitles[] {
  const textTracks = streams.filter(
    ({ codec_type, codec_name = '', disposition }) =>
      codec_type === 'subtitle' && textCodecs.includes(codec_name) && disposition?.forced !== 1,
  );
  const subtitles = textTracks.slice(0, MAX_TRACKS).flatMap(subtitlesOf);
  const defaultIndex = subtitles.findIndex(({ isDefault }) => isDefault);
  return subtitles.map((text, index) => ({ ...text, isDefault: index === defaultIndex }));
}

/** The subtitles of one track as a list; empty if ffprobe reports no index. */
function subtitlesOf({ index, disposition, tags }: ProbedStream): EmbeddedSubtitles[] {
  if (index === undefined) return [];
  const language = canonicalizeLanguageTag(tags?.language ?? '') ?? 'und';
  const title = (tags?.title ?? '').replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  const trackName = language === 'und' ? 'Subtitles' : languageName(language);
  return [
    {
      index,
      language,
      kind: disposition?.hearing_impaired === 1 ? 'captions' : 'subtitles',
      label: title.slice(0, MAX_LABEL_LENGTH).replace(/\p{Cs}$/u, '') || trackName,
      isDefault: disposition?.default === 1 && disposition.hearing_impaired !== 1,
    },
  ];
}
