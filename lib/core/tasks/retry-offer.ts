import { isResolvedByConversion } from '@/lib/core/media/media-policy';
import type { media } from '@/lib/core/reasons/messages/media';

/** A failed or cancelled task, with the fields that decide about a retry. */
export interface EndedTask {
  readonly phase: string;
  /** Code of the failure; undefined without a code. */
  readonly code: string | undefined;
  /** Whether the file was uploaded, so that a retry reads the same bytes. */
  readonly isUpload: boolean;
  /** Whether the task already requested a conversion. */
  readonly isConversion: boolean;
  readonly isImport: boolean;
}

/** Codes of failures that a retry with the same input would repeat. */
const permanentFailures: ReadonlySet<string> = new Set<keyof typeof media>([
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
 * Chooses how a task can be retried. `again`: in the same way. `convert`: with a conversion of its file. Null: a retry would
 * fail again, or the task has neither failed nor been cancelled.
 * @param allowsConversion whether the operator allows conversions
 */
export function chooseRetryOffer(
  task: EndedTask,
  { allowsConversion }: { readonly allowsConversion: boolean },
): 'again' | 'convert' | null {
  const { phase, code, isUpload, isConversion, isImport } = task;
  if (phase === 'cancelled') return 'again';
  if (phase !== 'failed') return null;
  if (isImport && allowsConversion && !isConversion && isResolvedByConversion(code)) return 'convert';
  const hasSameInput = isUpload || !isImport;
  return hasSameInput && code !== undefined && permanentFailures.has(code) ? null : 'again';
}
