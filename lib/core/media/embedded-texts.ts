import { languageName, languageTag } from '../captions/track-language';
import type { ProbeReport, ProbedStream } from './media-probe';

/** A text subtitle track of a file. */
export interface EmbeddedText {
  /** Index of the track in the file. */
  readonly index: number;
  readonly kind: 'subtitles' | 'captions';
  /** BCP 47 tag; `und` if the file names no language. */
  readonly language: string;
  readonly label: string;
  readonly isDefault: boolean;
}

/** ffmpeg's text subtitle codecs. Subtitles of discs and television are pictures. */
const textCodecs = ['mov_text', 'text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt'];
/** A higher number is an error in the file. */
const maxTexts = 20;
const labelLength = 100;

/** The subtitle tracks of a file in order, without forced subtitles, which belong to one audio language. */
export function embeddedTexts({ streams }: ProbeReport): EmbeddedText[] {
  const texts = streams.filter(
    ({ codec_type, codec_name = '', disposition }) =>
      codec_type === 'subtitle' && textCodecs.includes(codec_name) && disposition?.forced !== 1,
  );
  const convertibleTexts = texts.slice(0, maxTexts).flatMap(textOf);
  const first = convertibleTexts.findIndex(({ isDefault }) => isDefault);
  return convertibleTexts.map((text, index) => ({ ...text, isDefault: index === first }));
}

function textOf({ index, disposition, tags }: ProbedStream): EmbeddedText[] {
  if (index === undefined) return [];
  const language = languageTag(tags?.language ?? '') ?? 'und';
  const title = (tags?.title ?? '').replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim();
  const trackName = language === 'und' ? 'Subtitles' : languageName(language);
  return [
    {
      index,
      language,
      kind: disposition?.hearing_impaired === 1 ? 'captions' : 'subtitles',
      label: title.slice(0, labelLength).replace(/\p{Cs}$/u, '') || trackName,
      isDefault: disposition?.default === 1 && disposition.hearing_impaired !== 1,
    },
  ];
}
