import type { AcceptedMedia } from './media-rules';

/**
 * Values of the setting `ACCEPT_MEDIA`. `mp4`: only MP4 files with H.264 and AAC are accepted. `convert`: other files are
 * accepted, and converted, if the request has `convert: true`. `any`: every decodable file is accepted and converted.
 */
export const mediaPolicies = ['mp4', 'convert', 'any'] as const;
export type MediaPolicy = (typeof mediaPolicies)[number];

/**
 * Files that an upload or import may have under the policy.
 * @param convert the field `convert` of the request
 */
export function acceptedMedia(
  policy: MediaPolicy,
  { convert }: { readonly convert: boolean },
): AcceptedMedia {
  return policy === 'any' || (policy === 'convert' && convert) ? 'any' : 'mp4';
}

/** Codes of reasons that reject a file as it is, but not if it is converted. */
const convertibleCodes: readonly string[] = [
  ...['is_mov', 'other_container', 'not_mp4', 'no_video_track', 'pixel_format', 'frame_rate_too_high'],
  ...['video_codec', 'audio_codec', 'video_codec_not_recognised', 'audio_codec_not_recognised'],
];

/**
 * Whether a rejected file would be accepted with `convert: true`.
 * @param code code of the reason for the rejection
 */
export const isResolvedByConversion = (code: string | undefined): boolean =>
  code !== undefined && convertibleCodes.includes(code);
