/** Addresses of the public pages of a stream. */
export function watchUrl(baseUrl: string, playbackId: string): string {
  return `${baseUrl}/watch/${playbackId}`;
}

/** Markup for another site: keeps 16:9, allows full screen and picture in picture. */
export function embedCode(baseUrl: string, playbackId: string, title = 'Live stream'): string {
  return [
    `<iframe src="${baseUrl}/embed/${playbackId}" title="${attribute(title)}"`,
    '  style="width: 100%; aspect-ratio: 16 / 9; border: 0"',
    '  allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  ].join('\n');
}

/** A name may hold what would end the attribute. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
