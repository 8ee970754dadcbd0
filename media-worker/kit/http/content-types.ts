import type { HlsPath } from './hls-request';

/** `Content-Type` of the files of HLS, by kind. */
export const contentTypes: Readonly<Record<HlsPath['kind'], string>> = {
  playlist: 'application/vnd.apple.mpegurl',
  init: 'video/mp4',
  media: 'video/iso.segment',
  thumbnail: 'image/jpeg',
};
