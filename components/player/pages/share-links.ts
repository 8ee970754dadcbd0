import { quotedAttribute } from '@/lib/core/reply-text';

/** Address of the public page of a stream or an asset. @param startAt seconds into the video */
export function watchUrl(baseUrl: string, playbackId: string, startAt?: number): string {
  return `${baseUrl}/watch/${playbackId}${startQuery(startAt)}`;
}

/** Markup for another site: keeps 16:9, allows full screen and picture in picture. */
export function embedCode(baseUrl: string, playbackId: string, title: string, startAt?: number): string {
  return [
    `<iframe src="${baseUrl}/embed/${playbackId}${startQuery(startAt)}" title=${quotedAttribute(title)}`,
    '  style="width: 100%; aspect-ratio: 16 / 9; border: 0"',
    '  allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  ].join('\n');
}

const startQuery = (startAt: number | undefined): string =>
  startAt === undefined ? '' : `?t=${Math.floor(startAt)}`;
