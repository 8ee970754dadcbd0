import { quotedAttribute } from '@/lib/core/html-attribute';

/** Addresses of the public pages of a stream. */
export function watchUrl(baseUrl: string, playbackId: string): string {
  return `${baseUrl}/watch/${playbackId}`;
}

/** Markup for another site: keeps 16:9, allows full screen and picture in picture. */
export function embedCode(baseUrl: string, playbackId: string, title: string): string {
  return [
    `<iframe src="${baseUrl}/embed/${playbackId}" title=${quotedAttribute(title)}`,
    '  style="width: 100%; aspect-ratio: 16 / 9; border: 0"',
    '  allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  ].join('\n');
}
