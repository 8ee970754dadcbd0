import { languageName, languageTag } from '../captions/track-language';
import type { ProbeReport, ProbedStream } from './media-probe';

/** Subtitles in a file, as text. */
export interface EmbeddedText {
  /** Place of the track in the file. */
  readonly index: number;
  readonly kind: 'subtitles' | 'captions';
  /** BCP 47; `und` if the file does not say. */
  readonly language: string;
  readonly label: string;
  readonly isDefault: boolean;
}

/** Codecs of ffmpeg that are text. Those of discs and television are pictures. */
const textCodecs = ['mov_text', 'text', 'subrip', 'srt', 'ass', 'ssa', 'webvtt'];
/** More are an error of the file. */
const mostTexts = 20;
const labelLength = 100;

/** The subtitles that a file has, in its order. Forced ones, which belong to the sound of one language, are left out. */
export function embeddedTexts({ streams }: ProbeReport): EmbeddedText[] {
  const texts = streams.filter(
    ({ codec_type, codec_name = '', disposition }) =>
      codec_type === 'subtitle' && textCodecs.includes(codec_name) && disposition?.forced !== 1,
  );
  const convertibleTexts = texts.slice(0, mostTexts).flatMap(textOf);
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
