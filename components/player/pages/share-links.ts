import { quotedAttribute } from '@/lib/core/reply-text';

interface LinkOptions {
  /** Start position in seconds. */
  readonly startAt?: number | undefined;
  /** Token of the viewer, for non-public content. */
  readonly token?: string;
}

/** URL of the public page of a stream or an asset. */
export function watchUrl(baseUrl: string, playbackId: string, options: LinkOptions = {}): string {
  return `${baseUrl}/watch/${playbackId}${queryOf(options)}`;
}

/** HTML for another site: keeps 16:9, allows full screen and picture in picture. */
export function embedCode(
  baseUrl: string,
  playbackId: string,
  title: string,
  options: LinkOptions = {},
): string {
  return [
    `<iframe src="${baseUrl}/embed/${playbackId}${queryOf(options)}" title=${quotedAttribute(title)}`,
    '  style="width: 100%; aspect-ratio: 16 / 9; border: 0"',
    '  allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  ].join('\n');
}

// Query of the options. A link to the page never contains the viewer's token.
const queryOf = ({ startAt, token }: LinkOptions): string =>
  token === undefined ? (startAt === undefined ? '' : `?t=${Math.floor(startAt)}`) : `?token=${token}`;
