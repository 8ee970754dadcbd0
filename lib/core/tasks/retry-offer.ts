import { mayBeConverted } from '@/lib/core/media/media-policy';
import type { media } from '@/lib/core/reasons/messages/media';

/** A failed or cancelled task, with the fields that decide about a retry. */
export interface EndedTask {
  readonly phase: string;
  /** Code of its failure, if it has one. */
  readonly code: string | undefined;
  /** Whether the file was uploaded. A retry then reads the same bytes. */
  readonly uploaded: boolean;
  /** Whether the task already requested a conversion. */
  readonly converts: boolean;
  readonly isImport: boolean;
}

/** Errors of the file, with which a retry would fail again. */
const faultsOfFile: ReadonlySet<string> = new Set<keyof typeof media>([
  ...(['format_unknown', 'neither_video_nor_audio', 'no_duration', 'video_not_decodable_codec'] as const),
  ...(['no_picture_size', 'no_video_track', 'video_codec', 'audio_codec', 'pixel_format'] as const),
  ...(['video_codec_not_recognised', 'audio_codec_not_recognised', 'video_not_decodable'] as const),
  ...(['frame_rate_too_high', 'video_no_duration', 'video_too_long', 'audio_too_long'] as const),
  ...(['picture_too_large', 'audio_channels', 'no_sample_rate', 'file_empty', 'not_mp4', 'is_mov'] as const),
  ...(['other_container', 'file_encrypted', 'file_is_web_page', 'file_is_playlist', 'file_is_dash'] as const),
  ...(['file_is_smooth', 'file_is_captions', 'file_is_picture', 'file_is_archive'] as const),
  ...(['file_is_compressed', 'file_is_xz', 'file_is_document', 'file_is_xml', 'file_cut'] as const),
  ...(['file_without_index', 'too_many_file_tracks', 'metadata_too_large', 'no_upload'] as const),
  ...([
    'nothing_to_clip',
    'nothing_recorded_then',
    'recording_deleted',
    'clip_gone',
    'not_clippable',
  ] as const),
]);

/**
 * Offers the retry of a failed or cancelled task: `again`, with a conversion of its file, or null if it would fail again.
 * @param conversion whether the operator allows conversions
 */
export function retryOffer(task: EndedTask, conversion: boolean): 'again' | 'convert' | null {
  const { phase, code, uploaded, converts, isImport } = task;
  if (phase === 'cancelled') return 'again';
  if (phase !== 'failed') return null;
  if (isImport && conversion && !converts && mayBeConverted(code)) return 'convert';
  const sameInput = uploaded || !isImport;
  return sameInput && code !== undefined && faultsOfFile.has(code) ? null : 'again';
}
