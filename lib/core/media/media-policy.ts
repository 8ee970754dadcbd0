import type { AcceptedMedia } from './media-rules';

/**
 * Which files the operator accepts (`ACCEPT_MEDIA`). `mp4`: only MP4 with H.264 and AAC. `convert`: others if the request
 * has `convert`. `any`: all files.
 */
export const mediaPolicies = ['mp4', 'convert', 'any'] as const;
export type MediaPolicy = (typeof mediaPolicies)[number];

/** Media that an upload or import may contain. @param convert field of the request */
export function acceptedMedia(policy: MediaPolicy, convert: boolean): AcceptedMedia {
  return policy === 'any' || (policy === 'convert' && convert) ? 'any' : 'mp4';
}

/** Codes of refusals that a conversion resolves. */
const convertible: readonly string[] = [
  ...['is_mov', 'other_container', 'not_mp4', 'no_video_track', 'pixel_format', 'frame_rate_too_high'],
  ...['video_codec', 'audio_codec', 'video_codec_not_recognised', 'audio_codec_not_recognised'],
];

/** Whether a file refused for this reason can be accepted with `convert`. @param code of the reason */
export const mayBeConverted = (code: string | undefined): boolean =>
  code !== undefined && convertible.includes(code);
